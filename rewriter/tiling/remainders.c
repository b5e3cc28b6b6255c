/* remainders.c - what a smaller block leaves of a copy loop.
 *
 * Needs: copy loops whose count rests on a block size that is assumed. Gives:
 * whether what is left where the block is smaller can be fetched with the stores.
 * Sets ldg_id (PL4006) where it cannot. */
#include "split.h"

typedef struct remainder_scan {
  pl_mention m;
  const pl_copy_loop *c;
} remainder_scan;

static bool sets(const pl_loop *loop, const pl_node *within,
                 const pl_decl *decl) {
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      if (effect->kind == PL_EFFECT_WRITE && effect->root.decl == decl &&
          pl_node_within(effect->node, within))
        return true;
    }
  return false;
}

/* What the loop itself moves on outside the fill goes on where the fetch left it. */
static bool find_left(pl_node *node, void *context) {
  remainder_scan *scan = context;
  pl_loop *loop = scan->m.loop;
  pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  bool only_init;
  if ((!pl_is_private(decl) && !pl_is_own_param(&loop->fill, decl)) ||
      (decl->node && pl_node_within(decl->node, scan->c->node)))
    return true;
  if (!pl_is_nested(&loop->fill, decl)) {
    if (!sets(loop, scan->c->node, decl))
      pl_look_at_name(&scan->m, decl, node->range.begin);
  } else if (!pl_holds_load(loop, decl, &only_init)) {
    pl_look_behind(&scan->m, decl);
  }
  return true;
}

static bool is_replayed(const pl_fill *fill, const pl_copy_loop *c) {
  for (size_t i = 0; i < fill->ncopies; i++)
    if (!fill->copies[i].early &&
        pl_node_within(fill->copies[i].store, c->node))
      return true;
  return false;
}

bool pl_check_remainders(pl_loop *loop) {
  for (size_t i = 0; i < loop->fill.nloops; i++) {
    const pl_copy_loop *c = &loop->fill.loops[i];
    remainder_scan scan = {
        .m = {.loop = loop, .stable = true, .snapshot_ok = true}, .c = c};
    if (!c->var || !c->assumed || !is_replayed(&loop->fill, c))
      continue;
    pl_node_walk(c->node, find_left, &scan);
    if (!scan.m.stable)
      return pl_cannot_split(loop, "PL4006", c->node,
                             "a smaller block would fetch the rest of a copy "
                             "loop after the load phase has changed ",
                             scan.m.culprit->name);
  }
  return true;
}
