/* barrier_order.h - which barriers of the original order what in the emitted form.
 *
 * For attempt.c, which runs the pass, and emit_barriers.c. */
#ifndef PL_BARRIER_ORDER_H
#define PL_BARRIER_ORDER_H

#include "loop.h"

/* The pass: sets `kept` of the body's barriers. */
void pl_order_barriers(pl_loop *loop);
/* Whether the original has a barrier between memory accesses of the last tile's
 * compute and the text behind the loop, and the emitted compute has none. */
bool pl_drops_last_order(const pl_loop *loop);

/* Whether an object from before the loop runs code when its function ends. */
bool pl_is_outlived_by_object(const pl_loop *loop);
/* Whether compute of one tile may change what another thread's compute of the next one
 * reads or changes: a barrier has to stand in between. */
bool pl_computes_conflict(pl_loop *loop);

#endif
