/* legality_escapes.c - does a tile's address get out of sight?
 *
 * Needs: tiles, effects of the whole function. Gives: whether all uses of a
 * tile are seen. Raises: PL3007. */
#include "legality_parts.h"

typedef struct escape_walk {
  pl_loop *loop;
  bool ok;
} escape_walk;

/* A tile's address that is written to memory cannot be followed. */
static bool stores_address(pl_node *node, void *context) {
  escape_walk *w = context;
  if (node->kind != PL_NODE_ASSIGN || !node->kids[0]->type)
    return w->ok;
  if (node->kids[0]->type->kind != PL_TYPE_POINTER)
    return w->ok;
  pl_node *target = pl_node_bare(node->kids[0]);
  if (target->kind == PL_NODE_REF && target->decl &&
      !target->decl->is_shared && target->decl->owner)
    return w->ok;
  pl_roots roots = pl_roots_in(w->loop, node->kids[1]);
  for (size_t i = 0; i < roots.n; i++)
    if (roots.items[i].decl && pl_loop_tile(w->loop, roots.items[i].decl)) {
      w->ok = pl_refuse(w->loop, false, "PL3007", node,
                        "the address of tile '%.*s' is stored",
                        PL_FMT(roots.items[i].decl->name));
      return false;
    }
  return w->ok;
}

/* Whether something may run before the loop has ended: it stands before that
 * end, or a loop around both brings it back. */
static bool runs_before_end(const pl_loop *loop, const pl_node *node) {
  if (node->range.begin < loop->node->range.end)
    return true;
  for (const pl_node *up = loop->node->parent; up; up = up->parent)
    if (pl_node_is_loop(up))
      return true;
  return false;
}

/* A tile whose address has left the kernel's sight before or inside the loop:
 * another block of the cluster, or whoever keeps it, finds one buffer there.
 * Behind the loop, the other block's last tile may be in another stage. */
bool pl_check_escapes(pl_loop *loop) {
  pl_effects effects = pl_effects_in(loop, loop->func->body);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *effect = &effects.items[i];
    pl_tile *tile = effect->kind == PL_EFFECT_ESCAPE
                        ? pl_loop_tile(loop, effect->root.decl)
                        : NULL;
    if (tile && runs_before_end(loop, effect->node))
      return pl_refuse(loop, false, "PL3007", effect->node,
                       "the address of tile '%.*s' is passed to where it "
                       "cannot be followed",
                       PL_FMT(tile->decl->name));
    if (tile)
      tile->escapes = true;
  }
  return true;
}

/* Refuses where the function stores the address of a tile. */
bool pl_check_stored_addresses(pl_loop *loop) {
  escape_walk escape = {loop, true};
  pl_node_walk(loop->func->body, stores_address, &escape);
  return escape.ok;
}
