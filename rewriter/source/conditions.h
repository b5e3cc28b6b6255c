/* conditions.h - which definitions make the preprocessor see a place, or pass it
 * by? */
#ifndef PL_CONDITIONS_H
#define PL_CONDITIONS_H

#include "unit.h"

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
