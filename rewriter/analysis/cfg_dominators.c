/* cfg_dominators.c - immediate dominators, and post-dominators.
 *
 * Needs: blocks and edges. Gives: `order` and `above` of each block, by the
 * iteration of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm":
 * in reverse post-order, the nearest common dominator of all predecessors, until
 * nothing changes. Post-dominators are the same against the edges. Raises
 * nothing. */
#include "cfg_parts.h"

typedef struct order_walk {
  pl_cfg *cfg;
  int side; /* 0: along the edges, 1: against them */
  uint32_t *blocks; /* post-order */
  uint32_t n;
} order_walk;

static const uint32_t *ahead_of(const pl_cfg *cfg, uint32_t block, int side,
                                uint32_t *n) {
  const pl_cfg_block *b = &cfg->blocks[block];
  *n = side ? b->nin : b->nout;
  return side ? cfg->in + b->first_in : cfg->out + b->first_out;
}

/* Depth first, with a stack of its own: a block and how many edges are done. */
static void find_post_order(order_walk *w, uint32_t root) {
  size_t n = w->cfg->nblocks, depth = 1;
  uint32_t *stack = PL_NEW_ARRAY(w->cfg->arena, uint32_t, n + 1);
  uint32_t *done = PL_NEW_ARRAY(w->cfg->arena, uint32_t, n + 1);
  bool *seen = PL_NEW_ARRAY(w->cfg->arena, bool, n + 1);
  stack[0] = root;
  seen[root] = true;
  while (depth) {
    uint32_t at = stack[depth - 1], nnext;
    const uint32_t *next = ahead_of(w->cfg, at, w->side, &nnext);
    if (done[at] == nnext) {
      w->blocks[w->n++] = at;
      depth--;
    } else if (!seen[next[done[at]++]]) {
      stack[depth] = next[done[at] - 1];
      seen[stack[depth++]] = true;
    }
  }
}

static uint32_t meet(const pl_cfg *cfg, int side, uint32_t a, uint32_t b) {
  while (a != b) {
    while (cfg->blocks[a].order[side] > cfg->blocks[b].order[side])
      a = cfg->blocks[a].above[side];
    while (cfg->blocks[b].order[side] > cfg->blocks[a].order[side])
      b = cfg->blocks[b].above[side];
  }
  return a;
}

/* True where the block's immediate dominator is another than before. */
static bool improve(pl_cfg *cfg, int side, uint32_t block) {
  uint32_t n, above = PL_NO_BLOCK;
  const uint32_t *from = ahead_of(cfg, block, !side, &n);
  for (uint32_t i = 0; i < n; i++)
    if (cfg->blocks[from[i]].above[side] != PL_NO_BLOCK)
      above = above == PL_NO_BLOCK ? from[i] : meet(cfg, side, above, from[i]);
  bool changed = cfg->blocks[block].above[side] != above;
  cfg->blocks[block].above[side] = above;
  return changed;
}

static void find_side(pl_cfg *cfg, int side, uint32_t root) {
  order_walk w = {cfg, side, PL_NEW_ARRAY(cfg->arena, uint32_t, cfg->nblocks), 0};
  for (size_t i = 0; i < cfg->nblocks; i++)
    cfg->blocks[i].order[side] = cfg->blocks[i].above[side] = PL_NO_BLOCK;
  find_post_order(&w, root);
  for (uint32_t i = 0; i < w.n; i++)
    cfg->blocks[w.blocks[i]].order[side] = w.n - 1 - i;
  cfg->blocks[root].above[side] = root;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = w.n - 1; i-- > 0;)
      changed = improve(cfg, side, w.blocks[i]) || changed;
  }
}

void pl_cfg_find_dominators(pl_cfg *cfg) {
  if (cfg->has_dominators)
    return;
  cfg->has_dominators = true;
  find_side(cfg, 0, cfg->entry);
  find_side(cfg, 1, cfg->exit);
}
