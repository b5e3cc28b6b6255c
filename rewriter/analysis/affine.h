/* affine.h - quasi-affine forms: sums of multiples of names, and a number.
 *
 * A name stands for an integer: a thread index, a parameter, which iteration of a loop
 * it is, what is not known. Some stand for what is made of other forms: rounded
 * quotients by a number, products of two forms, exclusive ors. Equal forms of the same
 * names are the same name, so that forms can be compared without a solver.
 *
 * Each name has one value for the whole of what is looked at, or one for each
 * iteration of a loop: `turns` says which. What a form cannot hold becomes a new name
 * of its own, of which only the bounds are known.
 *
 * Only affine.c and access.h include this. */
#ifndef PL_AFFINE_H
#define PL_AFFINE_H

#include "model.h"

/* A bound of this size, or larger, is none. */
#define PL_UNBOUNDED ((int64_t)1 << 61)

/* The iterations of a loop that stands in `outer`'s body. */
typedef struct pl_turns {
  const struct pl_turns *outer; /* NULL: in no loop */
  int depth;                    /* one more than outer's; from 1 */
  uint32_t counter;             /* the name: iterations before, from zero */
} pl_turns;

typedef struct pl_affine_term {
  uint32_t name;
  int64_t by;
} pl_affine_term;

/* Terms by their names, none zero. */
typedef struct pl_affine {
  int64_t constant;
  uint32_t n;
  pl_affine_term terms[];
} pl_affine;

typedef struct pl_interval {
  int64_t least, largest;
} pl_interval;

typedef enum pl_name_kind {
  PL_NAME_FREE,     /* any number between its bounds */
  PL_NAME_FLOOR,    /* of / by, rounded down */
  PL_NAME_QUOTIENT, /* of / by, rounded towards zero */
  PL_NAME_XOR,      /* of ^ with, both below 1 << by */
  PL_NAME_WRAPPED,  /* of, wrapped around to 8 bytes; by: with a sign */
  PL_NAME_PRODUCT,  /* of * with */
  PL_NAME_RATIO     /* of / with, rounded towards zero */
} pl_name_kind;

typedef struct pl_affine_name {
  pl_name_kind kind;
  const pl_affine *of, *with;
  int64_t by;
  pl_interval range;
  const pl_turns *turns; /* the innermost loop in whose iterations it may differ */
  const struct pl_where *known; /* what defines it, NULL: nothing */
  struct pl_node *text; /* an expression that it is the value of, NULL: none known */
  bool early;           /* it was that in front of what is looked at */
  bool is_wide;  /* unsigned, of 8 bytes: below 1 << 64 */
  bool common;   /* known to be the same for all threads of the block, in one iteration */
  bool settled;  /* ... for one thread, whenever the tile loop is in its body: asked for by
                    pl_is_same_name alone, which finds out more */
  const struct pl_flag *flags; /* what says more of that */
  const struct pl_flag *asked[2]; /* pl_sameness: those from here on were asked */
} pl_affine_name;

/* All names of one question. */
typedef struct pl_affines {
  pl_arena *arena;
  pl_affine_name *names;
  size_t n, cap;
  bool ratios; /* quotients by what is no number are names of what they are made of */
} pl_affines;

const pl_affine *pl_affine_number(pl_affines *all, int64_t value);
/* A new name. */
const pl_affine *pl_affine_free(pl_affines *all, pl_interval range,
                                const pl_turns *turns);
/* a + by * b. */
const pl_affine *pl_affine_add(pl_affines *all, const pl_affine *a,
                               const pl_affine *b, int64_t by);
const pl_affine *pl_affine_multiply(pl_affines *all, const pl_affine *a,
                                    const pl_affine *b);
/* by > 0. */
const pl_affine *pl_affine_floor(pl_affines *all, const pl_affine *a,
                                 int64_t by);
const pl_affine *pl_affine_modulo(pl_affines *all, const pl_affine *a,
                                  int64_t by);
/* The same modulo a power of two, with factors as small as can be. */
const pl_affine *pl_affine_residue(pl_affines *all, const pl_affine *a,
                                   int64_t modulus);
/* Rounded towards zero. */
const pl_affine *pl_affine_quotient(pl_affines *all, const pl_affine *a,
                                    int64_t by);
const pl_affine *pl_affine_ratio(pl_affines *all, const pl_affine *a,
                                 const pl_affine *by);
/* As a number of 8 bytes. */
const pl_affine *pl_affine_wrapped(pl_affines *all, const pl_affine *a,
                                   bool is_unsigned);
/* Of two that are not negative; `b` is below 1 << bits. */
const pl_affine *pl_affine_xor(pl_affines *all, const pl_affine *a,
                               const pl_affine *b, int bits);

/* Whether it is a product of two names. */
bool pl_is_product_of(const pl_affines *all, const pl_affine *form, const pl_affine *a,
                      const pl_affine *b);
bool pl_affine_is_number(const pl_affine *a);
bool pl_affine_equal(const pl_affine *a, const pl_affine *b);
/* Whether every value is a multiple of a number. */
bool pl_affine_divides(const pl_affine *a, int64_t by);
pl_interval pl_affine_range(pl_affines *all, const pl_affine *a);
/* The innermost loop in whose iterations it may differ. */
const pl_turns *pl_affine_turns(const pl_affines *all, const pl_affine *a);

#endif
