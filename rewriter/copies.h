/* copies.h - what copies.c and chains.c share. */
#ifndef PL_COPIES_H
#define PL_COPIES_H

#include "loop.h"

/* The condition of a for, while or do loop, NULL: none. */
pl_node *pl_inner_cond(const pl_node *node);

/* Whether a value cannot be negative. */
bool pl_not_negative(const pl_loop *loop, const pl_node *node);
bool pl_names_var(const pl_node *node, const pl_decl *var);
/* Most iterations of one thread by start, bound and step, -1: unknown. */
int64_t pl_count_trips(pl_loop *loop, pl_copy_loop *c);

/* Describes a loop that is kept as it stands, with a counter beside: finds a
 * variable that steps towards a bound. False: nothing counts. */
bool pl_describe_chain(pl_loop *loop, const pl_fill *fill, pl_copy_loop *c);

/* Whether a loop's body moves variables on that are declared outside the loop;
 * whether more text of the load side goes by where the loop leaves them. */
bool pl_has_riders(pl_loop *loop, pl_node *node);
bool pl_riders_outlive(pl_loop *loop, pl_node *node);

/* The first jump below `node` that binds to the loop around it, NULL: none. */
const pl_node *pl_inner_jump(const pl_node *node, pl_node_kind kind);
/* Whether a return or goto leaves `node`. */
bool pl_leaves(const pl_node *node);

#endif
