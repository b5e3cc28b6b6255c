/* legality_escapes.c - does a tile's address get out of sight?
 *
 * Needs: tiles, effects of the whole function. Gives: whether all uses of a
 * tile are seen. Raises: PL3007. */
#include "legality_parts.h"

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

/* What the user can do about a call that is handed a tile and is not followed. */
static pl_str where_it_goes(const pl_loop *loop, const pl_node *address) {
  const pl_node *call = address;
  while (call && call->kind != PL_NODE_CALL)
    call = call->parent;
  const pl_node *callee = call && call->nkids ? pl_node_bare(call->kids[0]) : NULL;
  const pl_decl *decl = callee && callee->kind == PL_NODE_REF ? callee->decl : NULL;
  if (!decl || !decl->name.n)
    return PL_STR("where it cannot be followed");
  bool pointer = decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM;
  const char *why = "a pointer to a function, which cannot be followed";
  if (decl->kind == PL_DECL_TEMPLATE_VALUE)
    why = "a template's argument; an instantiation in the file, or a launch description "
          "that names one, says which function that is";
  else if (!pointer && (!decl->func || !decl->func->body))
    why = "whose body is not seen";
  else if (!pointer)
    return PL_STR("where it cannot be followed");
  return pl_arena_printf(loop->arena, "'%.*s', %s", PL_FMT(decl->name), why);
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
                       "the address of tile '%.*s' is passed to %.*s",
                       PL_FMT(tile->decl->name),
                       PL_FMT(where_it_goes(loop, effect->node)));
    if (tile)
      tile->escapes = true;
  }
  return true;
}
