/* builds.h - the conditions of a text, and what a build sees of it. Between
 * builds.c, branches.c, branch_choices.c and branch_names.c. */
#ifndef PL_BUILDS_H
#define PL_BUILDS_H

#include "unit.h"

#define PL_MAX_CONDITIONS 12

typedef enum pl_directive_kind {
  PL_DIRECTIVE_OTHER,
  PL_DIRECTIVE_IF,
  PL_DIRECTIVE_ELIF,
  PL_DIRECTIVE_ELSE,
  PL_DIRECTIVE_ENDIF
} pl_directive_kind;

typedef struct pl_directive {
  pl_directive_kind kind;
  pl_str condition; /* of if and elif: tokens with a blank between */
  bool negated;
} pl_directive;

/* `__CUDA_ARCH__ >= 800` */
typedef struct pl_comparison {
  pl_str name; /* empty: it is something else */
  pl_str op;
  int64_t value;
} pl_comparison;

/* Conditions, and whether each holds. */
typedef struct pl_build {
  pl_arena *arena;
  pl_str conditions[PL_MAX_CONDITIONS];
  pl_comparison comparisons[PL_MAX_CONDITIONS];
  pl_str places[PL_MAX_CONDITIONS]; /* of those in headers; empty: in the file */
  size_t n;
  unsigned holds;  /* a bit a condition */
  bool impossible; /* the last text comes upon #error: no such build */
} pl_build;

/* Of the word behind the '#'; see pl_directive_word. */
pl_directive_kind pl_directive_kind_of(pl_str word);

/* Reads a directive's text, from its '#' on. */
pl_directive pl_directive_read(pl_arena *arena, pl_str text);

/* Takes note of a directive's condition; false: they are too many, or what it
 * says hangs on the place. */
bool pl_build_add(pl_build *build, const pl_directive *directive);

/* Whether each name that is compared can have a value: no build is at once of
 * an architecture over 900 and none over 800. */
bool pl_build_is_possible(const pl_build *build);

/* "'X' is true and 'Y' is false" */
pl_str pl_build_describe(const pl_build *build);

/* A text of the same length in which the build's conditions are blank, and with
 * them what it does not see; sets `impossible`. */
pl_str pl_build_text(pl_build *build, pl_str text);

#endif
