/* linear.h - sums of names times numbers.
 *
 * Only linear.c, access_values.c, cancels.c, row_padding.c, alike.c and zeros.c include
 * this. */
#ifndef PL_LINEAR_H
#define PL_LINEAR_H

#include "loop.h"

#define PL_MOST_TERMS 12

/* What is not taken apart: a variable, threadIdx.x, `i % 32`. */
typedef struct pl_term {
  const pl_node *atom;
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

pl_linear pl_linear_of(pl_loop *loop, const pl_node *node);
/* Whether a build or an instantiation may give a number another value. */
bool pl_may_be_another_number(const pl_unit *unit, const pl_node *node);
/* Whether a build may, whatever instantiations do. */
bool pl_build_may_change(const pl_unit *unit, const pl_node *node);
/* Whether an expression computes with numbers and variables alone. */
bool pl_is_arithmetic(const pl_node *node);
/* Adds a sum `by` times. */
void pl_linear_add(const pl_loop *loop, pl_linear *to, const pl_linear *what,
                   int64_t by);
/* Whether two atoms are spelled alike and name the same. */
bool pl_same_atom(const pl_loop *loop, const pl_node *a, const pl_node *b);

#endif
