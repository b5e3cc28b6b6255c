/* lvalues.h - which places may an expression be, and which does a call set? */
#ifndef PL_LVALUES_H
#define PL_LVALUES_H

#include "model.h"

/* Calls `found` for each place that an expression may be: x and y for `(c ? x : y)`, `(u,
 * x)`, `(x = u)` and `(int &)x`, and for what stands around them. */
void pl_each_place(pl_node *of, void (*found)(pl_node *place, void *context),
                   void *context);
/* Whether a function may change the i-th thing that a call gives it. */
bool pl_may_set_argument(const pl_node *call, uint32_t i);

#endif
