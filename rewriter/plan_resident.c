/* plan_resident.c - do the blocks of a kernel wait for each other?
 *
 * Needs: the tree and the effects. Gives: whether all blocks of a launch may have
 * to run at once. Raises nothing: plan_memory.c says what follows.
 *
 * A kernel that waits for its whole grid is launched with as many blocks as
 * fit; where fewer fit than before, the launch fails, or never ends. It waits by
 * the grid's own barrier, or in a loop that asks memory until another block has
 * been there. */
#include "plan.h"

typedef struct resident_walk {
  const pl_loop *loop;
  const pl_func **seen;
  size_t nseen, cap;
  bool waits, reached;
} resident_walk;

/* Whether an effect may be a look at what another block does. */
static bool asks_others(const pl_effects *effects, bool condition) {
  for (size_t i = 0; i < effects->n; i++) {
    const pl_effect *effect = &effects->items[i];
    if (effect->kind == PL_EFFECT_FENCE || effect->kind == PL_EFFECT_ASM ||
        (effect->kind == PL_EFFECT_VOLATILE &&
         effect->space != PL_SPACE_SHARED) ||
        (condition && effect->kind == PL_EFFECT_ATOMIC &&
         effect->space != PL_SPACE_SHARED))
      return true;
  }
  return false;
}

/* A loop that has no tile and asks memory in its condition, or past the caches
 * in its body. */
static bool spins(resident_walk *w, const pl_func *func, pl_node *node) {
  const pl_loops *all = w->loop->all;
  for (size_t i = 0; i < all->n; i++)
    for (const pl_node *up = all->items[i]->node; up; up = up->parent)
      if (up == node)
        return false;
  pl_effects whole = {0};
  pl_effects_of(w->loop->effects, func, node, &whole);
  if (asks_others(&whole, false))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++) {
    pl_effects part = {0};
    if (!node->kids[i] || node->kids[i]->kind == PL_NODE_COMPOUND)
      continue;
    pl_effects_of(w->loop->effects, func, node->kids[i], &part);
    if (node->kind != PL_NODE_FOR ? i == (node->kind == PL_NODE_DO) : i == 1)
      if (asks_others(&part, true))
        return true;
  }
  return false;
}

static void look_at(resident_walk *w, const pl_func *func);

static bool look(pl_node *node, void *context) {
  resident_walk *w = context;
  const pl_func *func = w->seen[w->nseen - 1];
  if (pl_node_is_loop(node) && spins(w, func, node))
    w->waits = true;
  if ((node->kind == PL_NODE_CALL && pl_str_is(node->name, "this_grid")) ||
      (node->type && pl_str_has(node->type->spelling, "grid_group")))
    w->waits = true;
  return !w->waits;
}

static bool follow(pl_node *node, void *context) {
  resident_walk *w = context;
  if (node->kind != PL_NODE_CALL)
    return true;
  if (node->decl && node->decl->func)
    look_at(w, node->decl->func);
  for (uint32_t i = 0; i < node->ncallees; i++)
    if (node->callees[i]->func)
      look_at(w, node->callees[i]->func);
  return true;
}

static void look_at(resident_walk *w, const pl_func *func) {
  for (size_t i = 0; i < w->nseen; i++)
    if (w->seen[i] == func)
      return;
  if (!func->body)
    return;
  w->reached = w->reached || func == w->loop->func;
  PL_PUSH(w->loop->arena, w->seen, w->nseen, w->cap, func);
  pl_node_walk(func->body, look, w);
  pl_node_walk(func->body, follow, w);
}

bool pl_waits_for_grid(const pl_loop *loop) {
  for (uint32_t i = 0; i < loop->unit->nfuncs; i++) {
    resident_walk w = {.loop = loop};
    const pl_func *func = loop->unit->funcs[i];
    if (!func->is_global && func != loop->func)
      continue;
    look_at(&w, func);
    if (w.waits && w.reached)
      return true;
  }
  return false;
}
