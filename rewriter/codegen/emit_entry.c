/* emit_entry.c - does a barrier stand in front of the first load?
 *
 * Needs: the phases of the loop and what happens ahead of it. Gives: whether the
 * first load waits. Raises nothing.
 *
 * The load side gets ahead of the loop's first barrier: where it leads far it loads
 * its second tile there, and in any form it steps there to the next one. In the
 * original a barrier stood between that and what other threads wrote ahead of the
 * loop. */
#include "cfg.h"
#include "emit.h"

/* What the load side reads ahead of the first barrier and the original behind
 * it. */
typedef struct early_reads {
  const pl_loop *loop;
  pl_effects effects;
} early_reads;

static void add_reads(early_reads *early, pl_node *node) {
  const pl_loop *loop = early->loop;
  pl_effects all = pl_effects_in(loop, node);
  for (size_t i = 0; i < all.n; i++)
    if (all.items[i].kind == PL_EFFECT_READ &&
        all.items[i].space != PL_SPACE_LOCAL &&
        all.items[i].space != PL_SPACE_CONSTANT)
      PL_PUSH(loop->arena, early->effects.items, early->effects.n,
              early->effects.cap, all.items[i]);
}

static void find_reads(early_reads *early) {
  const pl_loop *loop = early->loop;
  bool far = pl_leads_far(loop);
  bool behind = false;
  for (size_t i = 0; i < loop->nstmts; i++) {
    behind = behind || loop->stmts[i].is_barrier;
    if (loop->stmts[i].in_load && (far || behind))
      add_reads(early, loop->stmts[i].node);
  }
  add_reads(early, loop->inc);
  for (size_t i = 0; far && pl_loop_condition(loop, i); i++)
    add_reads(early, pl_loop_condition(loop, i));
  for (size_t i = 0; far && i < loop->nhead; i++)
    if (!loop->head[i].jumps)
      add_reads(early, loop->head[i].node);
}

static bool may_change(const pl_loop *loop, const pl_effect *effect,
                       const pl_effect *read) {
  switch (effect->kind) {
  case PL_EFFECT_READ:
  case PL_EFFECT_BARRIER:
  case PL_EFFECT_FENCE:
  case PL_EFFECT_SIDE:
  case PL_EFFECT_END:
  case PL_EFFECT_WARP:
  case PL_EFFECT_WARP_BARRIER:
    return false;
  default:
    if (read->space == PL_SPACE_SHARED && read->root.decl)
      return pl_may_write_shared(effect, read->root.decl);
    if (read->space != PL_SPACE_GLOBAL && effect->space == PL_SPACE_SHARED)
      return true;
    return effect->space != PL_SPACE_LOCAL &&
           (!read->root.decl || pl_may_change(loop, effect, read));
  }
}

/* Whether a piece of text may change what the load side reads early. */
static bool changes_early(const early_reads *early, pl_node *node) {
  const pl_loop *loop = early->loop;
  pl_effects all = pl_effects_in(loop, node);
  for (size_t i = 0; i < all.n; i++)
    for (size_t j = 0; j < early->effects.n; j++)
      if (may_change(loop, &all.items[i], &early->effects.items[j]))
        return true;
  return false;
}

/* Whether what stands around the tile loop in another one may change it. */
static bool changes_around(const early_reads *early, const pl_node *outer) {
  for (pl_node *at = early->loop->node; at != outer; at = at->parent)
    for (uint32_t i = 0; i < at->parent->nkids; i++)
      if (at->parent->kids[i] != at &&
          changes_early(early, at->parent->kids[i]))
        return true;
  return false;
}

/* Whether a function's caller may have changed it. */
static bool may_be_given(const early_reads *early) {
  const pl_effect caller = {.kind = PL_EFFECT_WRITE};
  for (size_t j = 0; j < early->effects.n; j++) {
    const pl_effect *read = &early->effects.items[j];
    bool restricted = read->root.decl && !read->root.member.n &&
                      read->root.decl->type &&
                      read->root.decl->type->is_restrict;
    if (!restricted && may_change(early->loop, &caller, read))
      return true;
  }
  return false;
}

/* Whether a barrier stands there in every build. */
static bool is_sure_barrier(const pl_loop *loop, const pl_node *stmt) {
  const pl_unit *unit = loop->unit->conditional ? loop->unit->conditional : loop->unit;
  return pl_is_barrier(stmt) && !pl_is_conditional(unit, stmt->range.begin);
}

/* Whether what is read early may have been changed since the last barrier ahead
 * of the loop. */
static bool is_fresh(const early_reads *early) {
  const pl_loop *loop = early->loop;
  if (pl_cfg_has_goto(loop->func->body))
    return changes_early(early, loop->func->body);
  for (pl_node *at = loop->node; at->parent; at = at->parent) {
    pl_node *up = at->parent;
    uint32_t i = 0;
    while (up->kind == PL_NODE_COMPOUND && up->kids[i] != at)
      i++;
    while (up->kind == PL_NODE_COMPOUND && i-- > 0) {
      if (up->kids[i] && is_sure_barrier(loop, up->kids[i]))
        return false;
      if (changes_early(early, up->kids[i]))
        return true;
    }
    if (pl_node_is_loop(up) && changes_around(early, up))
      return true;
  }
  return !loop->func->is_global && may_be_given(early);
}

/* Whether a statement is the thread's own business alone. */
static bool is_private(const pl_loop *loop, pl_node *stmt) {
  pl_effects all = pl_effects_in(loop, stmt);
  for (size_t i = 0; i < all.n; i++)
    if ((all.items[i].kind != PL_EFFECT_READ &&
         all.items[i].kind != PL_EFFECT_WRITE) ||
        all.items[i].space != PL_SPACE_LOCAL)
      return false;
  return true;
}

/* Whether threads have just met at a barrier where they come to the loop. */
static bool stands_behind_barrier(const pl_loop *loop) {
  const pl_node *up = loop->node->parent;
  if (!up || up->kind != PL_NODE_COMPOUND || pl_cfg_has_goto(loop->func->body))
    return false;
  uint32_t i = 0;
  while (up->kids[i] != loop->node)
    i++;
  while (i-- > 0) {
    if (up->kids[i] && !up->kids[i]->from_macro &&
        is_sure_barrier(loop, up->kids[i]))
      return true;
    if (up->kids[i] && !is_private(loop, up->kids[i]))
      return false;
  }
  return false;
}

bool pl_needs_entry_barrier(const pl_loop *loop) {
  early_reads early = {.loop = loop};
  if (loop->waits_at_entry || loop->barrier_first)
    return !loop->waits_at_entry && !loop->nvotes && !stands_behind_barrier(loop);
  find_reads(&early);
  return early.effects.n > 0 && is_fresh(&early);
}
