/* builds.h - which branches of a text a build sees, and which builds are told apart by
 * that. Between builds.c, conditions.c, branches.c, branch_choices.c and branch_names.c. */
#ifndef PL_BUILDS_H
#define PL_BUILDS_H

#include "unit.h"

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

/* What a build says of a name, or that a part of a condition, its text, is so. */
typedef struct pl_said {
  pl_str key;
  bool undefined;
  int64_t value;
} pl_said;

typedef struct pl_build {
  const pl_said *said;
  size_t nsaid, ngiven; /* ... of which so many are defined */
  const unsigned char *seen; /* builds.c's */
  bool is_here;              /* it sees what the command line at hand does */
  pl_str description;        /* "'X' is true and 'Y' is false" */
} pl_build;

typedef struct pl_builds {
  pl_build *items;
  size_t n, cap;
  bool too_many;
  pl_str unclear; /* the condition that does not say the same wherever a build reads it, or
                     hangs on its line; empty: none */
} pl_builds;

/* An #if: its token, and the unit of the file or of a header. */
typedef struct pl_marked {
  const pl_unit *of;
  uint32_t token;
} pl_marked;

/* The directives of a text and of its headers; what is seen of them. */
typedef struct pl_directives pl_directives;
typedef struct pl_seen pl_seen;

/* Of the word behind the '#'; see pl_directive_word. */
pl_directive_kind pl_directive_kind_of(pl_str word);

/* Reads a directive's text, from its '#' on. */
pl_directive pl_directive_read(pl_arena *arena, pl_str text);

/* Whether some build sees a branch of the #if at a token, and another does not. */
bool pl_group_is_open(const pl_unit *unit, const pl_unit *of, uint32_t token);

/* The builds that see different branches of some groups, `most` of them and one; of those
 * that see one of the places `needed` (of the file's text; none: any), and stop at no
 * #error. */
pl_builds pl_builds_of(pl_arena *arena, const pl_unit *unit, const pl_marked *groups, size_t n,
                       const uint32_t *needed, size_t nneeded, size_t most);

/* `unit`: its tokens, those of its headers, its command line. */
pl_directives *pl_directives_read(pl_arena *arena, const pl_unit *unit);
pl_seen *pl_see(pl_arena *arena, pl_directives *directives, const pl_build *build);
/* Whether the build comes upon an #error that there is not in every one. */
bool pl_seen_stops(const pl_seen *seen);
/* A text of the same length, the file's (0) or a header's (from 1 on), in which the
 * conditions that the build decides are blank, and with them what it does not see. */
pl_str pl_text_seen(const pl_seen *seen, size_t header);

typedef struct pl_condition {
  pl_range at;      /* the directive's */
  pl_str directive; /* `#ifdef WITH_GPU`, `#else of #if A` */
  pl_str flags;     /* "-DWITH_GPU" makes the place seen; empty: it is not known what
                       does */
} pl_condition;

/* What leaves the place at an offset of the file out, where the text from `from` on is left
 * out: the first #if, #elif or #else there that is open at the place. False: none is. */
bool pl_condition_at(pl_arena *arena, const pl_unit *unit, uint32_t offset, uint32_t from,
                     pl_condition *condition);

/* Definitions with which a place of a text is not come by, an #error's say; empty: it is not
 * known which. */
pl_str pl_flags_past(pl_arena *arena, pl_str text, uint32_t offset);

#endif
