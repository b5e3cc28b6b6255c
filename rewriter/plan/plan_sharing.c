/* plan_sharing.c - may a tile that is named elsewhere have stages?
 *
 * Needs: the variants chosen so far. Gives: a reason against more than one
 * buffer where another use of a tile is no loop that gets stages too. Raises
 * (by plan_choose.c): PL3005, PL3006, PL3009. */
#include "plan.h"

typedef struct share_walk {
  pl_loops *loops;
  pl_loop *loop;
  pl_tile *tile;
  pl_node *lone; /* a use that no other tile loop with stages covers */
  pl_node *left; /* a tile loop that fills cells which this one does not */
} share_walk;

bool pl_is_staged(const pl_loop *loop) {
  return !loop->settled && pl_variant_most(loop->variant) > 1;
}

/* Whether a loop may find what another one has left. */
static bool comes_before(const pl_loop *other, const pl_loop *loop) {
  return other->node->range.begin < loop->node->range.begin || loop->nested ||
         !loop->func->is_global;
}

static bool find_lone_use(pl_node *node, void *context) {
  share_walk *w = context;
  if (node == w->loop->node)
    return false;
  for (size_t i = 0; i < w->loop->nderived; i++)
    if (node == w->loop->derived[i])
      return false;
  for (size_t i = 0; i < w->loops->n; i++) {
    pl_loop *other = w->loops->items[i];
    if (other->node != node || !pl_is_staged(other) ||
        !pl_loop_tile(other, w->tile->decl))
      continue;
    if (!comes_before(other, w->loop) ||
        pl_refills(w->loop, other, w->tile->decl))
      return false;
    w->left = w->left ? w->left : node;
  }
  if (node->kind == PL_NODE_REF && node->decl == w->tile->decl && !w->lone &&
      !pl_names_type(w->loop->unit, node) &&
      !pl_is_dead_prefill(w->loop, node)) {
    if (!pl_may_name_a_stage(w->loops, w->loop, w->tile, node))
      w->lone = node;
    else if (node->range.begin > w->loop->node->range.begin)
      w->tile->lasts = true;
  }
  return true;
}

/* `is filled before the loop, in its member 'q'`: of a record, the part that is
 * used there. */
static const char *with_member(const pl_loop *loop, const pl_node *ref,
                               const char *why) {
  const pl_node *up = ref->parent;
  if (!up || up->kind != PL_NODE_MEMBER || up->is_arrow)
    return why;
  return pl_arena_printf(loop->arena, "%s, in its member '%.*s'", why,
                         PL_FMT(up->name))
      .p;
}

#define LEFT_CELLS                                                             \
  "is filled by another loop, too, perhaps in cells that this one leaves as "  \
  "they are"

/* A tile that is named outside its loop can have stages only where the other
 * uses are loops that fill it anew and get stages too, or can do with one of
 * the stages. */
bool pl_check_shared_use(pl_loops *loops, pl_loop *loop) {
  for (size_t t = 0; t < loop->ntiles; t++) {
    pl_tile *tile = &loop->tiles[t];
    if (!tile->used_outside)
      continue;
    share_walk w = {loops, loop, tile, NULL, NULL};
    tile->lasts = false;
    pl_node_walk(loop->func->body, find_lone_use, &w);
    if (!w.lone)
      continue;
    bool before = w.lone->range.begin < loop->node->range.begin;
    const pl_node *up = w.lone;
    while (up && up->kind != PL_NODE_VAR && up->kind != PL_NODE_COMPOUND)
      up = up->parent;
    if (before && up && up->kind == PL_NODE_VAR && up->decl &&
        pl_mentions(loop->body, up->decl)) {
      pl_no_double(loop, "PL3009", "has a pointer made before the loop",
                   tile->decl->name);
      return false;
    }
    bool left = w.left && pl_node_within(w.lone, w.left);
    bool filled = tile->prefilled && before && !left;
    pl_no_double(loop, filled ? "PL3005" : "PL3006",
                 with_member(loop, w.lone,
                             left     ? LEFT_CELLS
                             : filled ? "is filled before the loop"
                                      : "is used outside the loop"),
                 tile->decl->name);
    return false;
  }
  return true;
}
