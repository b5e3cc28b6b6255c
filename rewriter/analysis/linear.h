/* linear.h - sums of names times numbers, and comparisons of two of them.
 *
 * Only linear.c, stale*.c, cancels.c, distance.c, equal_counts.c and zeros.c include
 * this. */
#ifndef PL_LINEAR_H
#define PL_LINEAR_H

#include "loop.h"

#define PL_MOST_TERMS 12

/* What is not taken apart: a variable, threadIdx.x, `i % 32`. `place` is the text
 * that evaluates it: the expression's own, or the declaration of a local that
 * stands for its value. */
typedef struct pl_term {
  const pl_node *atom, *place;
  int64_t by;
} pl_term;

typedef struct pl_linear {
  pl_term terms[PL_MOST_TERMS];
  int n;
  int64_t constant;
  bool known;
  int64_t wraps; /* bytes of the unsigned numbers that a part is computed in; 0:
                    none is, and so the sum is exact */
} pl_linear;

/* left < right, or with `inclusive` left <= right, as the program compares. */
typedef struct pl_relation {
  pl_linear left, right;
  bool inclusive;
  int64_t unsigned_bytes; /* of an unsigned comparison, 0: a signed one */
  const pl_node *small, *large; /* the expressions */
  const pl_node *small_place, *large_place;
} pl_relation;

typedef struct pl_relations {
  pl_relation *items;
  size_t n, cap;
} pl_relations;

pl_linear pl_linear_of(pl_loop *loop, const pl_node *node,
                       const pl_node *place);
/* Whether an expression computes with numbers and variables alone. */
bool pl_is_arithmetic(const pl_node *node);
/* threadIdx.x and its like, and the thread's rank in the block. */
bool pl_is_place_index(const pl_node *node);
/* left < right of two expressions. */
pl_relation pl_relate(pl_loop *loop, const pl_node *left,
                      const pl_node *left_place, const pl_node *right,
                      const pl_node *right_place, bool inclusive);
/* Adds a sum `by` times. */
void pl_linear_add(const pl_loop *loop, pl_linear *to, const pl_linear *what,
                   int64_t by);
/* Whether two sums are the same but for the constants. */
bool pl_linear_equal(const pl_loop *loop, const pl_linear *a,
                     const pl_linear *b);
/* Whether two atoms are spelled alike and name the same. */
bool pl_same_atom(const pl_loop *loop, const pl_node *a, const pl_node *b);
/* How often a sum has an atom. */
int64_t pl_linear_count(const pl_loop *loop, const pl_linear *in,
                        const pl_node *atom);

/* Adds what a condition that is true, or false, says of the sizes of two sums.
 * Parts that say nothing of the kind are passed over; false: there are some.
 * `upper`: and that what is below the smaller of two numbers is below both. */
typedef struct pl_said {
  pl_loop *loop;
  pl_relations *out;
  bool upper;
  bool varying_only; /* pass over what is the same in each iteration */
} pl_said;
bool pl_say(const pl_said *said, const pl_node *cond, const pl_node *place,
            bool holds);

/* The two numbers of which an expression is the smaller one, and the text that
 * evaluates them. False: it is none. */
bool pl_smaller_of(pl_loop *loop, const pl_node *node, const pl_node **place,
                   const pl_node *arms[2]);
bool pl_smaller_unsigned_of(pl_loop *loop, const pl_node *node,
                            const pl_node **place, const pl_node *arms[2]);

#endif
