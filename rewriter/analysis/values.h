/* values.h - what is an expression worth, and between which bounds does it lie? */
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

/* ---- ranges.c ------------------------------------------------------------ */

/* Whether a value cannot be negative. */
bool pl_not_negative(const pl_loop *loop, const pl_node *node);
/* Whether adding a value to a number of at least the size of an int does not make
 * it less: it is none that wraps around. */
bool pl_steps_up(const pl_loop *loop, const pl_node *amount);
/* Whether a variable of a type that is set to it is not. */
bool pl_begins_not_negative(const pl_loop *loop, const pl_node *node,
                            const pl_type *type);
/* Whether it is the thread's number within its block: all values from zero up
 * to some last one occur. */
bool pl_is_thread_number(const pl_loop *loop, const pl_node *node);
/* Whether a constant's value may differ in another build or instantiation. */
bool pl_is_open(const pl_node *node);
/* The largest value of a thread's place by the kernel's launch bounds, -1: not
 * known. */
int64_t pl_largest_start(const pl_loop *loop, const pl_node *node);
/* Whether a few steps more than the loop makes cannot make it overflow. */
bool pl_is_small(const pl_loop *loop, const pl_node *node);

#endif
