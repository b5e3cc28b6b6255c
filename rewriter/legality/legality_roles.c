/* legality_roles.c - can other threads than the block's own load its tiles?
 *
 * Needs: the slices, effects, the order of barriers. Gives: what threads that do nothing
 * but load have to pass over ahead of the loop, and whether the computes of two tiles
 * have to be kept in order; or what speaks against such threads. Raises nothing: the
 * form that asks refuses by PL5006.
 *
 * They are a second layer of the block, by z, of whole warps: each stands for the thread
 * of its x and y. It runs what stands ahead of the loop, as far as that is the thread's
 * own business, so that it has all that the loads ask for, and meets the others at each
 * barrier there. What changes memory is passed over: the thread that it stands for does
 * it. Behind its last load it ends, and what follows the loop knows nothing of it. */
#include "assembly.h"
#include "legality_roles.h"

#include "barrier_order.h"
#include "call_summary.h"
#include "cfg.h"
#include "legality_parts.h"
#include "reaching_definitions.h"
#include "values.h"

#include <string.h>

typedef struct role_search {
  pl_loop *loop;
  pl_roles *roles;
  /* Since the last barrier ahead of the loop: what is read by all, and what the
   * threads that compute write alone. */
  pl_effects read, written;
} role_search;

static bool speaks_against(pl_roles *roles, const pl_node *at, const char *why) {
  roles->why = (pl_str){why, strlen(why)};
  roles->at = at;
  return false;
}

/* ---- what tells the layers apart ------------------------------------------------ */

/* A third axis, an index as a whole, or a group of cooperative_groups that does more
 * than to wait. */
static bool tells_layers(const pl_unit *unit, const pl_node *node) {
  (void)unit;
  if (node->kind == PL_NODE_MEMBER)
    return pl_index_axis(node, "threadIdx") == 'z' || pl_block_axis(node) == 'z';
  if (node->kind == PL_NODE_REF && (pl_str_is(node->name, "threadIdx") ||
                                    pl_str_is(node->name, "blockDim")) &&
      !(node->decl && node->decl->is_user)) {
    const pl_node *up = node->parent;
    while (up && (up->kind == PL_NODE_PAREN || up->kind == PL_NODE_CAST))
      up = up->parent;
    return !up || up->kind != PL_NODE_MEMBER;
  }
  return node->kind == PL_NODE_CALL && node->decl &&
         pl_str_starts(node->decl->qualified, "cooperative_groups") &&
         !pl_str_is(pl_last_name(node->decl->qualified), "this_thread_block") &&
         !pl_is_barrier(node);
}

static bool asks_registers(const pl_unit *unit, const pl_node *node) {
  if (node->kind != PL_NODE_ASM)
    return false;
  pl_str text = pl_assembly_text(unit, node);
  return pl_str_has(text, "tid") || pl_str_has(text, "warpid") ||
         pl_str_has(text, "bar");
}

/* What counts the threads of the block, or cannot be seen, anywhere in the kernel. */
static const pl_node *counts_threads(pl_loop *loop) {
  static const pl_effect_kind kinds[] = {PL_EFFECT_SPECIAL_BARRIER, PL_EFFECT_UNSEEN};
  pl_effects all = pl_effects_in(loop, loop->func->body);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    const pl_effect *found = pl_effects_find(&all, kinds[i]);
    if (found)
      return found->node;
  }
  return NULL;
}

/* Text that some builds do not see, in the kernel or in what it calls. */
static bool has_condition(const pl_loop *loop) {
  pl_func_list all = pl_functions_of(loop->unit, loop->func);
  for (size_t k = 0; k < all.n; k++) {
    pl_run run = pl_tokens_in(loop->unit, all.items[k]->range);
    for (uint32_t i = run.first; all.items[k]->in_main && i < run.end; i++)
      if (pl_str_starts(pl_directive_at(loop->unit, i), "if"))
        return true;
  }
  return false;
}

static bool hides_layers(role_search *s) {
  pl_loop *loop = s->loop;
  const pl_node *at = pl_function_shows(loop->unit, loop->func, tells_layers);
  if (at)
    return speaks_against(s->roles, at,
                          "the kernel asks for more of a thread's place than its x and y, "
                          "and the threads that load differ in z");
  at = pl_function_shows(loop->unit, loop->func, asks_registers);
  if (at)
    return speaks_against(s->roles, at, "assembly may ask which thread it is, or wait "
                                        "for a number of threads");
  at = counts_threads(loop);
  if (at)
    return speaks_against(s->roles, at, "what is called may count the threads of the "
                                        "block, or is not seen");
  if (loop->grid_waits)
    return speaks_against(s->roles, NULL, "all blocks may have to run at once, and fewer "
                                          "of them do with more threads");
  return !has_condition(loop) ||
         speaks_against(s->roles, NULL, "an #if decides what the kernel holds");
}

/* ---- ahead of the loop ------------------------------------------------------------ */

static bool is_own(const pl_effect *effect) {
  return effect->space == PL_SPACE_LOCAL || effect->space == PL_SPACE_CONSTANT;
}

/* Whether a thread of its own can do it again for the thread that it stands for: it
 * changes nothing that others see. */
static bool is_repeatable(const pl_effect *effect) {
  switch (effect->kind) {
  case PL_EFFECT_READ:
  case PL_EFFECT_BARRIER:
  case PL_EFFECT_FENCE:
  case PL_EFFECT_WARP:
  case PL_EFFECT_WARP_BARRIER:
    return true;
  case PL_EFFECT_WRITE:
    return is_own(effect);
  default:
    return false;
  }
}

static bool is_inside(const pl_decl *decl, const pl_node *stmt) {
  return decl && decl->node && pl_node_within(decl->node, stmt);
}

/* Whether it can be passed over: nobody waits in it, and it sets no variable that is
 * known behind it. */
static bool can_be_passed_over(const pl_effect *effect, const pl_node *stmt) {
  switch (effect->kind) {
  case PL_EFFECT_READ:
  case PL_EFFECT_ATOMIC:
  case PL_EFFECT_FENCE:
  case PL_EFFECT_SIDE:
  case PL_EFFECT_END:
    return true;
  case PL_EFFECT_WRITE:
    return effect->space != PL_SPACE_LOCAL || is_inside(effect->root.decl, stmt);
  default:
    return false;
  }
}

static bool is_jump(pl_node *node, const void *context) {
  (void)context;
  return node->kind == PL_NODE_RETURN || node->kind == PL_NODE_GOTO ||
         node->kind == PL_NODE_LABEL;
}

static bool all_are(const pl_effects *effects, const pl_node *stmt) {
  for (size_t i = 0; i < effects->n; i++)
    if (stmt ? !can_be_passed_over(&effects->items[i], stmt)
             : !is_repeatable(&effects->items[i]))
      return false;
  return true;
}

/* Takes down the accesses of one kind that others see. */
static void note(role_search *s, pl_effects *list, const pl_effects *of, bool writes) {
  for (size_t i = 0; i < of->n; i++)
    if (!is_own(&of->items[i]) && (pl_is_write(&of->items[i])) == writes &&
        (writes || of->items[i].kind == PL_EFFECT_READ))
      PL_PUSH(s->loop->arena, list->items, list->n, list->cap, of->items[i]);
}

/* Whether a thread may read what the one that it stands for writes, without a barrier
 * in between. */
static bool are_unordered(const role_search *s) {
  for (size_t i = 0; i < s->read.n; i++)
    for (size_t k = 0; k < s->written.n; k++)
      if (pl_may_meet(s->loop, &s->read.items[i], &s->written.items[k]))
        return true;
  return false;
}

static bool pass_over(role_search *s, pl_node *stmt, const pl_effects *effects) {
  if (stmt->kind == PL_NODE_DECL_STMT || stmt->from_macro || !all_are(effects, stmt) ||
      pl_node_find(stmt, is_jump, NULL))
    return speaks_against(s->roles, stmt,
                          "ahead of the loop stands what threads that load can neither "
                          "do for themselves nor pass over");
  PL_PUSH(s->loop->arena, s->roles->passed, s->roles->npassed, s->roles->passed_cap, stmt);
  note(s, &s->written, effects, true);
  return true;
}

static bool is_shared_declaration(const pl_node *stmt) {
  return stmt->kind == PL_NODE_DECL_STMT && stmt->nkids && stmt->kids[0] &&
         stmt->kids[0]->decl && stmt->kids[0]->decl->is_shared;
}

static bool look_at_statement(role_search *s, pl_node *stmt) {
  if (is_shared_declaration(stmt))
    return true;
  if (pl_is_barrier(stmt)) {
    s->read.n = s->written.n = 0;
    return true;
  }
  pl_effects effects = pl_effects_in(s->loop, stmt);
  bool repeatable = all_are(&effects, NULL);
  if (!repeatable && !pass_over(s, stmt, &effects))
    return false;
  if (repeatable)
    note(s, &s->read, &effects, false);
  return !are_unordered(s) ||
         speaks_against(s->roles, stmt,
                        "no barrier stands between what a thread reads ahead of the loop "
                        "and what it writes there, and another one reads it, too");
}

static bool look_ahead(role_search *s) {
  const pl_loop *loop = s->loop;
  const pl_node *body = loop->func->body;
  if (!loop->func->is_global || loop->node->parent != body || pl_cfg_has_goto(body))
    return speaks_against(s->roles, NULL,
                          "the loop does not stand in the kernel's own block, and threads "
                          "that load end behind it");
  for (uint32_t i = 0; i < body->nkids && body->kids[i] != loop->node; i++)
    if (body->kids[i] && !look_at_statement(s, body->kids[i]))
      return false;
  pl_effects init = pl_effects_in(s->loop, s->loop->init);
  if (!all_are(&init, NULL))
    return speaks_against(s->roles, s->loop->init, "the loop's header does what is not "
                                                   "done twice");
  return !pl_is_outlived_by_object(loop) ||
         speaks_against(s->roles, NULL, "an object runs code where the kernel ends, and "
                                        "would do so for threads that load");
}

/* ---- in the loop, and behind it ---------------------------------------------------- */

static bool is_asked_by_both(const pl_loop *loop, const pl_recurrence *r) {
  return r->compute_needs || r->stmt < 0 || (loop->cond && pl_mentions(loop->cond, r->decl));
}

/* Whether those that compute move a variable for themselves: they, or the loop's
 * condition, ask for it, or for one that the same statement moves. */
static bool is_moved_by_both(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nrecurrences; i++)
    for (size_t k = 0; loop->recurrences[i].decl == decl && k < loop->nrecurrences; k++)
      if (loop->recurrences[k].stmt == loop->recurrences[i].stmt &&
          is_asked_by_both(loop, &loop->recurrences[k]))
        return true;
  return false;
}

static bool is_named_by_compute(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].in_compute && pl_mentions(loop->stmts[i].node, decl))
      return true;
  return false;
}

/* A variable of the thread's own that the loads alone set is not set where they are
 * another thread's. */
static const pl_decl *kept_from_loads(const pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    for (size_t k = 0; stmt->in_load && !stmt->in_compute && k < stmt->effects.n; k++) {
      const pl_effect *set = &stmt->effects.items[k];
      const pl_decl *decl = set->root.decl;
      if (set->kind == PL_EFFECT_WRITE && set->space == PL_SPACE_LOCAL && decl &&
          !is_inside(decl, loop->node) && !is_moved_by_both(loop, decl) &&
          (is_named_by_compute(loop, decl) ||
           pl_is_live_behind(decl, loop->node) != PL_NO))
        return decl;
    }
  }
  return NULL;
}

/* A barrier inside a statement of compute is for the whole block. */
static const pl_node *barrier_in_compute(const pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_effect *found =
        pl_effects_find(&loop->stmts[i].effects, PL_EFFECT_BARRIER);
    if (!loop->stmts[i].is_barrier && found)
      return found->node;
  }
  return NULL;
}

static bool look_at_loop(role_search *s) {
  const pl_node *barrier = barrier_in_compute(s->loop);
  const pl_decl *kept = kept_from_loads(s->loop);
  if (barrier)
    return speaks_against(s->roles, barrier,
                          "a part of a statement waits for the whole block, and those that "
                          "load do not come to it");
  return !kept || speaks_against(s->roles, kept->node,
                                 "what the loads alone set of a variable is used besides");
}

bool pl_find_roles(pl_loop *loop, pl_roles *roles) {
  role_search s = {.loop = loop, .roles = roles};
  roles->npassed = 0;
  return look_ahead(&s) && hides_layers(&s) && look_at_loop(&s);
}
