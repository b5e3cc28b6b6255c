/* conditions.h - what does a condition say, and which definitions make the preprocessor
 * see a place, or pass it by? */
#ifndef PL_CONDITIONS_H
#define PL_CONDITIONS_H

#include "unit.h"

typedef enum pl_term_kind {
  PL_TERM_OPEN, /* none that is read here */
  PL_TERM_NUMBER,
  PL_TERM_NAME,
  PL_TERM_DEFINED,
  PL_TERM_CALL, /* of a macro, or `__has_include(<x>)` */
  PL_TERM_UNARY,
  PL_TERM_BINARY,
  PL_TERM_CHOICE
} pl_term_kind;

/* A condition, or a part of one. */
typedef struct pl_term {
  pl_term_kind kind;
  pl_str text;     /* its words, a blank between two */
  pl_str name;     /* what it names, or its operator */
  pl_str operands; /* of a call */
  int64_t value;
  struct pl_term *kids[3];
} pl_term;

/* Reads the words of a condition, one blank between two, `defined X` without
 * parentheses, by the grammar of [cpp.cond] and [expr.const]. */
pl_term *pl_term_read(pl_arena *arena, pl_str words);
/* `<` and its like. */
bool pl_is_comparison(pl_str word);

typedef struct pl_condition {
  pl_range at;      /* the directive's */
  pl_str directive; /* `#ifdef WITH_GPU`, `#else of #if A` */
  pl_str flags;     /* "-DWITH_GPU" makes the place seen; empty: it is not known what
                       does */
} pl_condition;

/* What leaves the place at an offset out, where the text from `from` on is left out:
 * the first #if, #elif or #else there that is open at the place. False: none is. */
bool pl_condition_at(pl_arena *arena, pl_str text, const pl_token *tokens,
                     uint32_t ntokens, uint32_t offset, uint32_t from,
                     pl_condition *condition);

/* Definitions with which a place is not come by, an #error's say; empty: it is not
 * known which. */
pl_str pl_flags_past(pl_arena *arena, pl_str text, uint32_t offset);

#endif
