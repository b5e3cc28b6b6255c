/* step_memory.c - may the header's step read memory?
 *
 * Needs: the statements' effects. Gives: whether what the step reads is the same
 * whenever it is read. Raises: PL2001.
 *
 * The load side steps before the first barrier of the loop, where the original
 * had passed two. So a shared number that it reads has to be there ahead of the
 * loop: behind a barrier, or because each thread has written it itself. */
#include "cfg.h"
#include "slices.h"

bool pl_may_write_shared(const pl_effect *effect, const pl_decl *decl) {
  switch (effect->kind) {
  case PL_EFFECT_READ:
  case PL_EFFECT_BARRIER:
  case PL_EFFECT_WARP:
  case PL_EFFECT_WARP_BARRIER:
    return false;
  default:
    return effect->space != PL_SPACE_LOCAL &&
           effect->space != PL_SPACE_GLOBAL &&
           !(effect->space == PL_SPACE_SHARED && effect->root.decl &&
             !pl_same_shared(effect->root.decl, decl));
  }
}

/* Whether the loop certainly leaves a shared object alone. */
static bool is_left_alone(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++)
      if (pl_may_write_shared(&loop->stmts[i].effects.items[j], decl))
        return false;
  return true;
}

/* How often a piece of text may write to a shared object. */
static size_t writes_to(pl_loop *loop, pl_node *node, const pl_decl *decl) {
  pl_effects effects = {0};
  size_t n = 0;
  pl_effects_of(loop->effects, loop->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++)
    n += pl_may_write_shared(&effects.items[i], decl);
  return n;
}

/* `step = 16 * n;` of every thread, and nothing else in the kernel writes it. */
static bool is_written_by_all(pl_loop *loop, pl_node *stmt,
                              const pl_decl *decl) {
  pl_node *target =
      stmt->kind == PL_NODE_ASSIGN ? pl_node_bare(stmt->kids[0]) : NULL;
  return target && stmt->op == PL_OP_ASSIGN && target->kind == PL_NODE_REF &&
         target->decl == decl && pl_is_uniform(loop, stmt->kids[1]) &&
         writes_to(loop, loop->func->body, decl) == 1;
}

/* Whether a shared object has its value for all threads where the loop begins. */
static bool is_there_before(pl_loop *loop, const pl_decl *decl) {
  if (pl_cfg_has_goto(loop->func->body))
    return false;
  for (pl_node *at = loop->node; at->parent; at = at->parent) {
    pl_node *up = at->parent;
    if (at != loop->node && pl_node_is_loop(at) &&
        writes_to(loop, at, decl) > 0)
      return false;
    uint32_t i = 0;
    while (up->kind == PL_NODE_COMPOUND && up->kids[i] != at)
      i++;
    while (i-- > 0 && up->kind == PL_NODE_COMPOUND) {
      pl_node *before = up->kids[i];
      if (before && pl_is_barrier(before))
        return true;
      if (before && writes_to(loop, before, decl) > 0)
        return is_written_by_all(loop, before, decl);
    }
  }
  return false;
}

static bool may_read(pl_loop *loop, const pl_effect *read) {
  if (read->space == PL_SPACE_LOCAL || read->space == PL_SPACE_CONSTANT)
    return true;
  return read->space == PL_SPACE_SHARED && read->root.decl &&
         loop->func->is_global && is_left_alone(loop, read->root.decl) &&
         is_there_before(loop, read->root.decl);
}

bool pl_check_step_memory(pl_loop *loop) {
  pl_effects effects = pl_effects_in(loop, loop->inc);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind == PL_EFFECT_READ &&
        !may_read(loop, &effects.items[i]))
      return pl_refuse(loop, false, "PL2001", loop->inc,
                       "the loop's step is read from memory in its header; as the "
                       "last statement of the body it is no hindrance");
  return true;
}
