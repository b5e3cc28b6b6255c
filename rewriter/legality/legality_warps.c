/* legality_warps.c - does a warp's barrier order what is stored to a tile?
 *
 * Needs: the load phase. Gives: whether its stores may go without a barrier
 * between them. Raises: PL2007. */
#include "legality_parts.h"

/* The load phase's statements in the order of a turn: what stands behind the
 * last barrier comes before what stands ahead of the first. */
static const pl_stmt *stmt_of_turn(const pl_loop *loop, size_t at) {
  size_t last = loop->nstmts;
  while (last > 0 && !loop->stmts[last - 1].is_barrier)
    last--;
  return &loop->stmts[(last + at) % loop->nstmts];
}

/* Whether what a statement does may happen again before it ends, or in an order
 * that is not followed. */
static bool may_repeat(const pl_stmt *stmt, const pl_effect *waits) {
  if (waits->by_call)
    return true;
  for (const pl_node *up = waits->node->parent; up; up = up->parent) {
    if (pl_node_is_loop(up))
      return true;
    if (up == stmt->node)
      break;
  }
  return false;
}

static bool is_store(const pl_effect *effect, const pl_tile *tile) {
  return effect->space == PL_SPACE_SHARED && effect->root.decl &&
         (effect->kind == PL_EFFECT_WRITE || effect->kind == PL_EFFECT_ATOMIC) &&
         pl_same_shared(effect->root.decl, tile->decl);
}

/* The warp's barrier between two stores to a tile, NULL: none. */
static const pl_effect *barrier_between(const pl_loop *loop,
                                        const pl_tile *tile) {
  const pl_effect *between = NULL;
  bool stored = false;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = stmt_of_turn(loop, i);
    if (stmt->is_barrier || stmt->phase != loop->load_phase)
      continue;
    const pl_effect *inside = NULL;
    bool stores = false;
    for (size_t j = 0; j < stmt->effects.n; j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      if (effect->kind == PL_EFFECT_WARP_BARRIER) {
        between = stored ? effect : between;
        inside = may_repeat(stmt, effect) ? effect : inside;
      } else if (is_store(effect, tile)) {
        if (between)
          return between;
        stored = stores = true;
      }
    }
    if (inside && stores)
      return inside;
  }
  return NULL;
}

bool pl_check_warp_barriers(pl_loop *loop) {
  for (size_t t = 0; t < loop->ntiles; t++) {
    const pl_effect *between = barrier_between(loop, &loop->tiles[t]);
    if (between)
      return pl_refuse(loop, false, "PL2007", between->node,
                       "this barrier of a warp may order stores to tile '%.*s', "
                       "which would move past it",
                       PL_FMT(loop->tiles[t].decl->name));
  }
  return true;
}
