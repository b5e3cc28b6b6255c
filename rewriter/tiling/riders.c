/* riders.c - what does a copy loop leave beside the tiles?
 *
 * Needs: the text of a loop. Gives: whether it moves variables on that are
 * declared outside, whether more text goes by them. Raises nothing. */
#include "copies.h"
#include "slices.h"

pl_node *pl_inner_cond(const pl_node *node) {
  return node->kind == PL_NODE_FOR || node->kind == PL_NODE_DO ? node->kids[1]
         : node->kind == PL_NODE_WHILE                         ? node->kids[0]
                                                               : NULL;
}

static bool is_rider(const pl_effect *effect, const pl_node *node) {
  return effect->kind == PL_EFFECT_WRITE && effect->direct &&
         effect->space == PL_SPACE_LOCAL && effect->root.decl &&
         effect->root.decl->node &&
         !pl_node_within(effect->root.decl->node, node);
}

bool pl_has_riders(pl_loop *loop, pl_node *node) {
  pl_effects effects = pl_effects_in(loop, pl_node_loop_body(node));
  for (size_t i = 0; i < effects.n; i++)
    if (is_rider(&effects.items[i], node))
      return true;
  return false;
}

static bool named_behind(const pl_node *node, const pl_node *loop,
                         const pl_decl *decl) {
  if (!node || node->range.end <= loop->range.end)
    return false;
  if (node->kind == PL_NODE_REF && node->decl == decl)
    return node->range.begin >= loop->range.end;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (named_behind(node->kids[i], loop, decl))
      return true;
  return false;
}

/* Whether a copy loop stands between a declaration and a loop within. */
static bool crosses_loop(const pl_loop *loop, const pl_node *node,
                         const pl_decl *decl) {
  for (const pl_node *up = node->parent; up && up != loop->body;
       up = up->parent)
    if (pl_node_is_loop(up) && !pl_node_within(decl->node, up))
      return true;
  return false;
}

bool pl_riders_outlive(pl_loop *loop, pl_node *node) {
  pl_effects effects = pl_effects_in(loop, node);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_decl *decl = effects.items[i].root.decl;
    if (!is_rider(&effects.items[i], node))
      continue;
    if (crosses_loop(loop, node, decl))
      return true;
    for (size_t s = 0; s < loop->nstmts; s++)
      if (loop->stmts[s].in_load &&
          named_behind(loop->stmts[s].node, node, decl))
        return true;
  }
  return false;
}
