/* legality_outside.c - where is a tile used outside the loop?
 *
 * Needs: tiles, declarations made anew for each stage. Gives: the tiles that
 * are used outside, filled before, or named in the size of an array. Raises:
 * nothing; plan.c does. */
#include "legality_parts.h"

typedef struct outside_walk {
  pl_loop *loop;
  bool moves; /* the array whose size is looked at is declared anew */
} outside_walk;

/* A tile named in the size of an array: by one of its stages, unless that array
 * is declared anew itself. */
static bool find_in_size(pl_node *node, void *context) {
  outside_walk *w = context;
  pl_tile *tile = node->kind == PL_NODE_REF && node->decl
                      ? pl_loop_tile(w->loop, node->decl)
                      : NULL;
  if (tile && (w->moves || !pl_names_type(w->loop->unit, node))) {
    tile->fixed = true;
    tile->fixed_at = node;
  }
  return true;
}

static bool find_outside(pl_node *node, void *context) {
  outside_walk *w = context;
  if (pl_is_among(node, w->loop->derived, w->loop->nderived))
    return false;
  if (node->kind == PL_NODE_VAR && node->decl) {
    w->moves = pl_loop_tile(w->loop, node->decl) ||
               (node->decl->is_shared && pl_node_within(node, w->loop->node));
    for (uint32_t i = 0; i < node->decl->ndims; i++)
      pl_node_walk(node->decl->dims[i], find_in_size, w);
  }
  if (pl_node_within(node, w->loop->node))
    return true;
  if (node->kind != PL_NODE_REF || !node->decl ||
      pl_names_type(w->loop->unit, node))
    return true;
  pl_tile *tile = pl_loop_tile(w->loop, node->decl);
  if (tile && !tile->outside_at) {
    tile->used_outside = true;
    tile->outside_at = node;
  }
  return true;
}

static bool find_prefill(pl_node *node, void *context) {
  outside_walk *w = context;
  if (node == w->loop->node || node->range.begin >= w->loop->node->range.begin)
    return false;
  if (node->kind != PL_NODE_ASSIGN && node->kind != PL_NODE_CALL)
    return true;
  pl_effects effects = pl_effects_in(w->loop, node);
  for (size_t i = 0; i < effects.n; i++) {
    if (!pl_is_write(&effects.items[i]))
      continue;
    pl_tile *tile = pl_loop_tile(w->loop, effects.items[i].root.decl);
    if (tile && !tile->prefilled) {
      tile->prefilled = true;
      tile->prefilled_at = node;
    }
  }
  return true;
}

/* Marks the tiles that are used or filled outside the loop. */
void pl_find_outside_uses(pl_loop *loop) {
  outside_walk outside = {.loop = loop};
  pl_node_walk(loop->func->body, find_outside, &outside);
  pl_node_walk(loop->func->body, find_prefill, &outside);
}
