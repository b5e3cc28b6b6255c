/* cfg.c - questions to the control-flow graph: jumps, dominance, paths.
 *
 * Needs: the tree of a function's body (cfg_build.c makes the graph of it,
 * cfg_dominators.c the dominators). Gives: answers. Raises nothing. */
#include "cfg_parts.h"

#include <string.h>

/* ---- the graph of a node ----------------------------------------------------- */

/* The body that a node stands in: a function's, or the innermost lambda's. */
static pl_node *body_of(const pl_node *node) {
  const pl_node *at = node;
  while (at && at->parent && !(at->parent->kind == PL_NODE_LAMBDA &&
                               at->kind == PL_NODE_COMPOUND))
    at = at->parent;
  return (pl_node *)at;
}

static pl_cfg *graph_of(const pl_node *node) {
  pl_node *body = body_of(node);
  pl_func *func = body ? body->func : NULL;
  if (!func || func->body != body)
    return NULL;
  if (!func->cfg)
    func->cfg = pl_cfg_build(func->arena, body);
  return func->cfg;
}

const pl_cfg *pl_cfg_around(const pl_node *node) { return graph_of(node); }

void pl_cfg_forget(pl_node *node) {
  pl_node *body = body_of(node);
  if (body && body->func)
    body->func->cfg = NULL;
}

const pl_cfg_place *pl_cfg_place_of(const pl_cfg *cfg, const pl_node *node) {
  uint32_t at = node && cfg ? node->place_in_cfg : 0;
  const pl_cfg_place *place =
      at && at <= cfg->nplaces ? &cfg->places[at - 1] : NULL;
  return place && place->node == node ? place : NULL;
}

/* ---- jumps ------------------------------------------------------------------- */

static unsigned kind_of(const pl_node *jump) {
  switch (jump->kind) {
  case PL_NODE_BREAK:
    return PL_JUMP_BREAK;
  case PL_NODE_CONTINUE:
    return PL_JUMP_CONTINUE;
  case PL_NODE_RETURN:
    return PL_JUMP_RETURN;
  default:
    return PL_JUMP_GOTO;
  }
}

static bool leads_out(const pl_cfg_jump *jump, const pl_node *subtree,
                      unsigned kinds) {
  return (kind_of(jump->node) & kinds) && pl_node_within(jump->node, subtree) &&
         (jump->node->kind == PL_NODE_GOTO || !jump->target ||
          !pl_node_within(jump->target, subtree));
}

const pl_node *pl_cfg_jump_out(const pl_node *subtree, unsigned kinds) {
  const pl_cfg *cfg = graph_of(subtree);
  for (size_t i = 0; cfg && i < cfg->njumps; i++)
    if (leads_out(&cfg->jumps[i], subtree, kinds))
      return cfg->jumps[i].node;
  return cfg ? NULL : subtree;
}

bool pl_cfg_has_goto(const pl_node *node) {
  const pl_cfg *cfg = graph_of(node);
  return !cfg || cfg->has_goto;
}

const pl_node *pl_cfg_jump_target(const pl_node *jump) {
  const pl_cfg *cfg = graph_of(jump);
  for (size_t i = 0; cfg && i < cfg->njumps; i++)
    if (cfg->jumps[i].node == jump)
      return cfg->jumps[i].target;
  return NULL;
}

void pl_cfg_each_jump(const pl_node *node, pl_visit *visit, void *context) {
  const pl_cfg *cfg = graph_of(node);
  for (size_t i = 0; cfg && i < cfg->njumps; i++)
    if (!visit(cfg->jumps[i].node, context))
      return;
}

/* ---- dominance --------------------------------------------------------------- */

/* Two places of one graph whose paths are known. */
typedef struct pair {
  pl_cfg *cfg;
  const pl_cfg_place *a, *b;
} pair;

static bool find_pair(const pl_node *a, const pl_node *b, pair *p) {
  p->cfg = graph_of(a);
  p->a = pl_cfg_place_of(p->cfg, a);
  p->b = pl_cfg_place_of(p->cfg, b);
  return p->a && p->b && !p->cfg->unclear;
}

/* Whether block `a` dominates block `b`, or post-dominates it. */
static bool is_above(const pl_cfg *cfg, int side, uint32_t a, uint32_t b) {
  while (cfg->blocks[b].order[side] > cfg->blocks[a].order[side])
    b = cfg->blocks[b].above[side];
  return a == b;
}

static bool is_reached(const pl_cfg *cfg, int side, uint32_t block) {
  return cfg->blocks[block].order[side] != PL_NO_BLOCK;
}

pl_answer pl_cfg_dominates(const pl_node *a, const pl_node *b) {
  pair p;
  if (!find_pair(a, b, &p))
    return PL_UNKNOWN;
  pl_cfg_find_dominators(p.cfg);
  if (!is_reached(p.cfg, 0, p.a->block) || !is_reached(p.cfg, 0, p.b->block))
    return PL_UNKNOWN;
  if (p.a->block == p.b->block)
    return p.a <= p.b ? PL_YES : PL_NO;
  return is_above(p.cfg, 0, p.a->block, p.b->block) ? PL_YES : PL_NO;
}

pl_answer pl_cfg_post_dominates(const pl_node *a, const pl_node *b) {
  pair p;
  if (!find_pair(a, b, &p))
    return PL_UNKNOWN;
  pl_cfg_find_dominators(p.cfg);
  if (!is_reached(p.cfg, 1, p.a->block) || !is_reached(p.cfg, 1, p.b->block))
    return PL_NO;
  if (p.a->block == p.b->block)
    return p.a >= p.b ? PL_YES : PL_NO;
  return is_above(p.cfg, 1, p.a->block, p.b->block) ? PL_YES : PL_NO;
}

/* ---- paths ------------------------------------------------------------------- */

pl_cfg_set *pl_cfg_empty_set(pl_cfg *cfg, int which) {
  pl_cfg_set *set = &cfg->sets[which];
  if (!set->has) {
    set->has = PL_NEW_ARRAY(cfg->arena, bool, cfg->nblocks);
    set->todo = PL_NEW_ARRAY(cfg->arena, uint32_t, cfg->nblocks);
  }
  memset(set->has, 0, cfg->nblocks * sizeof *set->has);
  set->n = 0;
  return set;
}

void pl_cfg_add(pl_cfg_set *set, uint32_t block) {
  if (!set->has[block])
    set->todo[set->n++] = block;
  set->has[block] = true;
}

/* Adds what follows a block, but for `head`. */
static void add_next(const pl_cfg *cfg, pl_cfg_set *set, uint32_t block,
                     uint32_t head) {
  const pl_cfg_block *b = &cfg->blocks[block];
  for (uint32_t i = 0; i < b->nout; i++)
    if (cfg->out[b->first_out + i] != head)
      pl_cfg_add(set, cfg->out[b->first_out + i]);
}

uint32_t pl_cfg_head_of(const pl_cfg *cfg, const pl_node *loop) {
  for (size_t i = 0; cfg && i < cfg->nloops; i++)
    if (cfg->loops[i].node == loop)
      return cfg->loops[i].head;
  return PL_NO_BLOCK;
}

pl_answer pl_cfg_may_reach(const pl_node *from, const pl_node *to,
                           const pl_node *loop) {
  pair p;
  if (!find_pair(from, to, &p))
    return PL_UNKNOWN;
  uint32_t head = loop ? pl_cfg_head_of(p.cfg, loop) : PL_NO_BLOCK;
  if (loop && head == PL_NO_BLOCK)
    return PL_UNKNOWN;
  if (p.a->block == p.b->block && p.a < p.b)
    return PL_YES;
  pl_cfg_set *set = pl_cfg_empty_set(p.cfg, 0);
  add_next(p.cfg, set, p.a->block, head);
  while (set->n && !set->has[p.b->block])
    add_next(p.cfg, set, set->todo[--set->n], head);
  return set->has[p.b->block] ? PL_YES : PL_NO;
}

pl_answer pl_cfg_are_exclusive(const pl_node *a, const pl_node *b,
                               const pl_node *loop) {
  pl_answer there = pl_cfg_may_reach(a, b, loop);
  pl_answer back = pl_cfg_may_reach(b, a, loop);
  if (there == PL_YES || back == PL_YES || a == b)
    return PL_NO;
  return there == PL_NO && back == PL_NO ? PL_YES : PL_UNKNOWN;
}

static bool is_inside(const pl_cfg_block *block, const pl_cfg_place *of) {
  return block->begin >= of->first && block->begin < of->end;
}

pl_answer pl_cfg_completes(const pl_node *stmt) {
  pair p;
  if (!find_pair(stmt, stmt, &p))
    return PL_UNKNOWN;
  uint32_t at = p.cfg->places[p.a->first].block;
  uint32_t last = p.cfg->places[p.a->end - 1].block;
  pl_cfg_set *set = pl_cfg_empty_set(p.cfg, 0);
  while (at != last && !set->has[last]) {
    add_next(p.cfg, set, at, PL_NO_BLOCK);
    do {
      if (!set->n)
        return PL_NO;
      at = set->todo[--set->n];
    } while (!is_inside(&p.cfg->blocks[at], p.a));
  }
  return PL_YES;
}
