/* divergence.h - do all threads of a block take the same way, equally often? */
#ifndef PL_DIVERGENCE_H
#define PL_DIVERGENCE_H

#include "loop.h"

/* How a value differs between the threads of a block: not at all; by the thread's
 * place alone, as threadIdx.x + 3; in any way. The larger one holds of a whole. */
typedef enum pl_divergence {
  PL_UNIFORM,
  PL_THREAD_OFFSET,
  PL_THREAD_DATA
} pl_divergence;

/* uniform.c */
pl_divergence pl_divergence_of(pl_loop *loop, pl_node *node);

/* uniform.c: whether a part of the loop does the same for all threads that have one value
 * of a variable. */
bool pl_is_uniform_given(pl_loop *loop, pl_node *node, const pl_decl *decl);

/* The threads that come to a node. */
typedef struct pl_threads_at {
  pl_arena *arena;
  pl_effect_context *effects;
  const pl_unit *unit;
  const pl_node *node;
  int64_t threads; /* of the block; 0: not known */
  struct pl_divergent_variables *known; /* earlier answers; NULL: none yet */
} pl_threads_at;

/* uniform.c: whether a variable is one number for all threads that come there. */
bool pl_variable_is_uniform(pl_threads_at *at, pl_decl *decl);

/* uniform.c: whether what a call or a construction gives may differ between threads that hand
 * it the same. */
bool pl_tells_threads_apart(const pl_unit *unit, const pl_node *node);

/* uniform.c: the condition by which a node decides whether `part` of it is done,
 * NULL: none. */
pl_node *pl_condition_of(pl_node *node, const pl_node *part);

#endif
