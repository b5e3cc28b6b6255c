/* integer_sum.h - sums of names and a number, as `4 * k + tx - 1`.
 *
 * Most forms that integer_set.h is handed are no more than that: of two of them it is
 * seen whether they are one, without a solver. Nothing wraps around: what is too large
 * for a number of eight bytes is no sum. */
#ifndef PL_INTEGER_SUM_H
#define PL_INTEGER_SUM_H

#include "arena.h"

#include <stdint.h>

typedef struct pl_isum_term {
  const char *name;
  int64_t by; /* not zero */
} pl_isum_term;

/* Terms by their names, as strcmp has them. */
typedef struct pl_isum {
  int64_t constant;
  size_t n;
  pl_isum_term terms[];
} pl_isum;

/* `by` times a name, and a number. The name is not copied. */
const pl_isum *pl_isum_of(pl_arena *arena, const char *name, int64_t by, int64_t constant);
/* a + by * b; NULL: too large. */
const pl_isum *pl_isum_add(pl_arena *arena, const pl_isum *a, const pl_isum *b, int64_t by);
/* Each number of it rounded down to a multiple of `by`, then divided by that; or (`rest`)
 * what that leaves. by > 0. */
const pl_isum *pl_isum_floor(pl_arena *arena, const pl_isum *a, int64_t by, bool rest);
/* What measures the factors of all names; 0: there are none. */
int64_t pl_isum_measure(const pl_isum *a);
/* By how much a name is multiplied. */
int64_t pl_isum_factor(const pl_isum *a, const char *name);
/* With another name, that it does not have, in the place of one. */
const pl_isum *pl_isum_renamed(pl_arena *arena, const pl_isum *a, const char *from,
                               const char *to);
bool pl_isum_equal(const pl_isum *a, const pl_isum *b);
uint32_t pl_isum_hash(const pl_isum *a);

#endif
