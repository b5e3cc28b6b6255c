/* exit_barrier.c - does a barrier have to follow the rewritten loop?
 *
 * Needs: the phases of the loop and the effects behind it. Gives: whether the
 * original's last barrier orders anything that follows. Raises nothing. */
#include "barrier_order.h"
#include "cfg.h"

/* Whether other threads may still read in the loop's compute what a store
 * behind it changes. Loads are behind a barrier by then. */
static bool meets_compute(const pl_loop *loop, const pl_effect *store) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    for (size_t j = 0; stmt->in_compute && j < stmt->effects.n; j++) {
      const pl_effect *read = &stmt->effects.items[j];
      if ((read->kind == PL_EFFECT_READ || read->kind == PL_EFFECT_ATOMIC) &&
          pl_may_change(loop, store, read))
        return true;
    }
  }
  return false;
}

/* Whether a statement behind the loop keeps to the thread's own variables and
 * to global memory by the kernel's own pointers, and changes nothing there that
 * compute reads. */
static bool is_harmless(const pl_loop *loop, pl_node *node) {
  pl_effects effects = pl_effects_in(loop, node);
  for (size_t j = 0; j < effects.n; j++) {
    const pl_effect *effect = &effects.items[j];
    bool own = effect->space == PL_SPACE_LOCAL ||
               effect->space == PL_SPACE_CONSTANT ||
               (effect->space == PL_SPACE_GLOBAL && effect->root.decl &&
                !effect->root.member.n);
    bool store =
        effect->kind == PL_EFFECT_WRITE || effect->kind == PL_EFFECT_ATOMIC;
    bool warp = effect->kind == PL_EFFECT_WARP ||
                effect->kind == PL_EFFECT_WARP_BARRIER;
    if (store || effect->kind == PL_EFFECT_READ ? !own : !warp)
      return false;
    if (store && meets_compute(loop, effect))
      return false;
  }
  return true;
}

/* The function's text behind the loop. */
static pl_run tokens_behind(const pl_loop *loop) {
  pl_range behind = {loop->node->range.end, loop->func->range.end};
  return pl_tokens_in(loop->unit, behind);
}

/* Whether an #if behind the loop, in its function, holds text that this build may
 * not see. */
static bool has_condition_behind(const pl_loop *loop) {
  pl_run run = tokens_behind(loop);
  for (uint32_t i = run.first; i < run.end; i++)
    if (pl_str_starts(pl_directive_at(loop->unit, i), "if"))
      return true;
  return false;
}

/* Whether an object from before the loop runs code when its function ends: text
 * that stands behind the loop, as it were. */
bool pl_is_outlived_by_object(const pl_loop *loop) {
  const pl_node *body = loop->func->body;
  for (uint32_t i = 0; i < body->nkids; i++) {
    const pl_node *stmt = body->kids[i];
    bool declares = stmt && stmt->kind == PL_NODE_DECL_STMT &&
                    stmt->range.begin < loop->node->range.begin;
    for (uint32_t k = 0; declares && k < stmt->nkids; k++)
      if (stmt->kids[k] && pl_ends_by_code(loop->unit, loop->func, stmt->kids[k]))
        return true;
  }
  return false;
}

/* Whether a function ends with the loop, in any build: no macro stands behind it
 * either, which may say nothing in this one. */
static bool ends_function(const pl_loop *loop) {
  pl_run run = tokens_behind(loop);
  for (uint32_t i = run.first; i < run.end; i++)
    if (loop->unit->tokens[i].kind != PL_TOK_COMMENT &&
        !pl_token_is(loop->unit, i, "}"))
      return false;
  return true;
}

static bool has_barrier_behind(const pl_loop *loop) {
  const pl_node *block = loop->node->parent;
  for (uint32_t i = 0; i + 1 < block->nkids; i++)
    if (block->kids[i] == loop->node)
      return block->kids[i + 1] && pl_is_barrier(block->kids[i + 1]);
  return false;
}

/* Whether a thread may come to the text behind the loop while others compute on a tile
 * before the last, which each barrier of the original's last iteration keeps it from. */
static bool are_computes_apart(const pl_loop *loop) {
  return loop->variant == PL_VARIANT_PIPELINE_PARTITIONED && loop->roles &&
         !loop->roles->ordered && !has_barrier_behind(loop);
}

/* The last barrier may go where nothing that follows can tell: the kernel ends, or
 * does with values of the thread's own. */
bool pl_needs_exit_barrier(const pl_loop *loop) {
  const pl_node *body = loop->func->body;
  if (!loop->barrier_last && !pl_drops_last_order(loop) && !are_computes_apart(loop))
    return false;
  if (loop->stays_before_text || has_condition_behind(loop))
    return true;
  if (!loop->func->is_global || loop->nested || loop->node->parent != body ||
      pl_cfg_has_goto(body) || pl_is_outlived_by_object(loop))
    return true;
  if (ends_function(loop))
    return false;
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      if (effect->kind == PL_EFFECT_WRITE && !loop->stmts[i].fills &&
          effect->space != PL_SPACE_LOCAL)
        return true;
    }
  for (uint32_t i = 0; i < body->nkids; i++)
    if (body->kids[i] && body->kids[i]->range.begin >= loop->node->range.end &&
        !is_harmless(loop, body->kids[i]))
      return true;
  return false;
}
