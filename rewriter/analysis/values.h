/* values.h - what is an expression worth? */
#ifndef PL_VALUES_H
#define PL_VALUES_H

#include "loop.h"

/* ---- values.c ------------------------------------------------------------ */

/* 'x', 'y' or 'z' of a member of threadIdx, blockIdx, blockDim or gridDim, whichever
 * is named; 0: another expression, as of a variable that the file calls so. */
char pl_index_axis(const pl_node *node, const char *name);
/* The axis of `blockDim.x`, 0: another expression. */
char pl_block_axis(const pl_node *node);
/* Whether rows of threads are told apart somewhere below `node`. */
bool pl_names_block_y(const pl_node *node);
/* What a loop passes for a parameter of a load helper, NULL: none. */
pl_node *pl_passed_for(const pl_loop *loop, const pl_decl *decl);

/* Whether a constant's value may differ in another build or instantiation. */
bool pl_is_open(const pl_node *node);

/* Whether a build or an instantiation may give a number another value. */
bool pl_may_be_another_number(const pl_unit *unit, const pl_node *node);
/* Whether a build may, whatever instantiations do. */
bool pl_build_may_change(const pl_unit *unit, const pl_node *node);
/* Whether a loop that begins with `init` and goes on while `cond` has a first round in
 * every build and instantiation: numbers say so. */
bool pl_has_first_round(const pl_unit *unit, const pl_func *func, const pl_node *init,
                        const pl_node *cond);
/* Whether an expression computes with numbers and variables alone. */
bool pl_is_arithmetic(const pl_node *node);
/* threadIdx.x and its like, and the thread's rank in the block. */
bool pl_is_place_index(const pl_node *node);
/* Whether two parts of such are spelled alike and name the same. */
bool pl_same_atom(const pl_loop *loop, const pl_node *a, const pl_node *b);

#endif
