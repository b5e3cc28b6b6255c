/* own_steps.c - what moves on by an amount that is no sum, and yet needs nothing of
 * compute?
 *
 * Needs: the load slice, and the steps that recurrences.c and uneven.c know. Gives:
 * steps under a branch that is the same for the whole loop; variables that
 * statements of the body, or the header, set from values of the load side alone:
 * `m &= m - 1`, `seed = seed * a + c`, `if (odd) at += 2; else --at;`. Raises nothing.
 *
 * Each side owns a copy of such a variable and runs the statements in the order of
 * the text, so it does not matter which function of its old value the new one is. */
#include "slices.h"

/* ---- steps under a loop-invariant branch --------------------------------- */

bool pl_is_invariant_branch(pl_loop *loop, pl_node *node) {
  return node && (node->kind == PL_NODE_IF || node->kind == PL_NODE_COND) &&
         node->kids[0] && !pl_varies(loop, node->kids[0]) &&
         pl_reads_own_only(loop, node->kids[0]);
}

/* ---- steps that are any function of the load side's values ---------------- */

static bool is_scalar(const pl_type *type) {
  return type && (type->kind == PL_TYPE_INT || type->kind == PL_TYPE_BOOL ||
                  type->kind == PL_TYPE_FLOAT || type->kind == PL_TYPE_POINTER);
}

/* Whether a variable outlives an iteration, and each side may have one. */
static bool is_carried_scalar(const pl_loop *loop, const pl_decl *decl) {
  return pl_is_private(decl) && !decl->is_static && is_scalar(decl->type) &&
         (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
         !pl_declared_inside(decl, loop->body);
}

static bool is_set_by_fill(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nstmts; i++)
    if (loop->stmts[i].fills && pl_writes_decl(&loop->stmts[i].effects, decl))
      return true;
  return false;
}

typedef struct text_walk {
  const pl_loop *loop;
  bool plain;
} text_walk;

static bool check_text(pl_node *node, void *context) {
  text_walk *w = context;
  switch (node->kind) {
  case PL_NODE_ASM: case PL_NODE_LAMBDA: case PL_NODE_UNKNOWN:
  case PL_NODE_GOTO: case PL_NODE_LABEL: case PL_NODE_RETURN:
  case PL_NODE_CONTINUE: case PL_NODE_THIS: case PL_NODE_RANGE_FOR:
  case PL_NODE_LAUNCH:
    w->plain = false;
    break;
  case PL_NODE_REF:
    if (node->decl && (node->decl->kind == PL_DECL_VAR ||
                       node->decl->kind == PL_DECL_PARAM))
      w->plain = w->plain && pl_is_private(node->decl) &&
                 !node->decl->is_static && !is_set_by_fill(w->loop, node->decl);
    break;
  default:
    break;
  }
  return w->plain;
}

/* Whether a piece of text does nothing but to read and set the thread's own
 * variables: those that outlive the iteration under their own names, the others only
 * where they are its own. */
static bool sets_own_only(const pl_loop *loop, pl_node *node,
                          const pl_effects *effects) {
  text_walk w = {loop, true};
  for (size_t i = 0; i < effects->n; i++) {
    const pl_effect *effect = &effects->items[i];
    bool own = effect->space == PL_SPACE_LOCAL ||
               (effect->kind == PL_EFFECT_READ &&
                effect->space == PL_SPACE_CONSTANT);
    bool sets = effect->kind == PL_EFFECT_WRITE;
    if (!own || (effect->kind != PL_EFFECT_READ && !sets))
      return false;
    if (sets && (!effect->root.decl || effect->root.member.n || !effect->direct ||
                 effect->by_call ||
                 (!pl_declared_inside(effect->root.decl, node) &&
                  !is_carried_scalar(loop, effect->root.decl))))
      return false;
  }
  pl_node_walk(node, check_text, &w);
  return w.plain;
}

static bool is_float(const pl_decl *decl) {
  return decl && decl->type && decl->type->kind == PL_TYPE_FLOAT;
}

typedef struct loaded_walk {
  const pl_loop *loop;
  bool found;
} loaded_walk;

static bool find_loaded(pl_node *node, void *context) {
  loaded_walk *w = context;
  for (size_t i = 0; node->kind == PL_NODE_REF && node->decl &&
                     i < w->loop->nstmts;
       i++)
    w->found = w->found ||
               (pl_writes_decl(&w->loop->stmts[i].effects, node->decl) &&
                pl_effects_read_global(&w->loop->stmts[i].effects));
  return !w->found;
}

/* Whether a statement names what the iteration has loaded. */
static bool names_loaded(const pl_loop *loop, pl_node *node) {
  loaded_walk w = {loop, false};
  pl_node_walk(node, find_loaded, &w);
  return w.found;
}

/* Whether a statement may be one: nothing else has taken it. No value of the
 * elements' own rolls from one tile to the next, only what leads to them. */
static bool is_candidate(pl_loop *loop, const pl_stmt *stmt) {
  for (size_t j = 0; j < stmt->effects.n; j++) {
    const pl_effect *effect = &stmt->effects.items[j];
    if (effect->kind == PL_EFFECT_WRITE &&
        (pl_rolls_loaded_value(loop, effect->root.decl) ||
         (is_float(effect->root.decl) && names_loaded(loop, stmt->node))))
      return false;
  }
  return stmt->in_load && !stmt->is_barrier && !stmt->fills &&
         !stmt->is_advance && !stmt->always && !stmt->repeated &&
         !stmt->is_shared_decl && stmt->node->kind != PL_NODE_DECL_STMT &&
         sets_own_only(loop, stmt->node, &stmt->effects);
}

/* Whether all that sets a variable stands in such statements or in other steps, and
 * no tile is filled between the first and the last of them. */
static bool is_set_in_steps(const pl_loop *loop, const pl_decl *decl,
                            const bool candidate[]) {
  bool begun = false, filled = false;
  if (pl_writes_decl(&loop->header_effects, decl))
    return false;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    filled = filled || (begun && stmt->fills);
    if (!pl_writes_decl(&stmt->effects, decl))
      continue;
    if (filled || (!candidate[i] && !stmt->is_advance))
      return false;
    begun = true;
  }
  return begun;
}

/* Takes back the candidates that set something that is set elsewhere as well, until
 * none is left. */
static void keep_whole_sets(const pl_loop *loop, bool candidate[]) {
  bool again = true;
  while (again) {
    again = false;
    for (size_t i = 0; i < loop->nstmts; i++)
      for (size_t j = 0; candidate[i] && j < loop->stmts[i].effects.n; j++) {
        const pl_effect *effect = &loop->stmts[i].effects.items[j];
        if (effect->kind != PL_EFFECT_WRITE ||
            pl_declared_inside(effect->root.decl, loop->stmts[i].node) ||
            is_set_in_steps(loop, effect->root.decl, candidate))
          continue;
        candidate[i] = false;
        again = true;
      }
  }
}

static void add_steps_of(pl_loop *loop, size_t at) {
  pl_stmt *stmt = &loop->stmts[at];
  for (size_t j = 0; j < stmt->effects.n; j++) {
    const pl_effect *effect = &stmt->effects.items[j];
    bool known = effect->kind != PL_EFFECT_WRITE ||
                 pl_declared_inside(effect->root.decl, stmt->node);
    for (size_t k = 0; k < loop->nrecurrences; k++)
      known = known || (loop->recurrences[k].stmt == (int)at &&
                        loop->recurrences[k].decl == effect->root.decl);
    if (known)
      continue;
    pl_recurrence step = {.decl = effect->root.decl, .step = stmt->node,
                          .stmt = (int)at, .uneven = true};
    step.in_header = loop->init && step.decl->node &&
                     pl_node_within(step.decl->node, loop->init);
    PL_PUSH(loop->arena, loop->recurrences, loop->nrecurrences,
            loop->recurrences_cap, step);
  }
  stmt->is_advance = true;
}

bool pl_find_own_steps(pl_loop *loop) {
  bool *candidate = PL_NEW_ARRAY(loop->arena, bool, loop->nstmts + 1);
  bool found = false;
  if (loop->passes_over || loop->searches || loop->caller)
    return false;
  for (size_t i = 0; i < loop->nstmts; i++)
    candidate[i] = is_candidate(loop, &loop->stmts[i]);
  keep_whole_sets(loop, candidate);
  for (size_t i = 0; i < loop->nstmts; i++) {
    bool carries = false;
    for (size_t j = 0; candidate[i] && j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      carries = carries || (effect->kind == PL_EFFECT_WRITE &&
                            !pl_declared_inside(effect->root.decl,
                                                loop->stmts[i].node) &&
                            pl_is_carried(loop, effect->root.decl));
    }
    if (carries)
      add_steps_of(loop, i);
    found = found || carries;
  }
  return found;
}

/* ---- of the header -------------------------------------------------------- */

typedef struct name_walk {
  const pl_loop *loop;
  const pl_decl *decl;
  bool stays;
} name_walk;

static bool check_stays(pl_node *node, void *context) {
  name_walk *w = context;
  if (node->kind == PL_NODE_REF && node->decl && node->decl != w->decl &&
      pl_written_in_loop(w->loop, node->decl))
    w->stays = false;
  return w->stays;
}

pl_decl *pl_own_header_step(pl_loop *loop, pl_node *node) {
  pl_effects effects = {0};
  const pl_node *target = node->kind == PL_NODE_ASSIGN
                              ? pl_node_bare(node->kids[0])
                              : NULL;
  pl_decl *decl = target && target->kind == PL_NODE_REF ? target->decl : NULL;
  if (!decl || loop->passes_over || loop->searches ||
      !is_carried_scalar(loop, decl))
    return NULL;
  pl_effects_of(loop->effects, loop->func, node, &effects);
  name_walk w = {loop, decl, true};
  pl_node_walk(node, check_stays, &w);
  bool once = pl_count_writes(&effects, decl) == 1 &&
              pl_count_writes(&loop->header_effects, decl) == 1;
  for (size_t i = 0; i < loop->nstmts; i++)
    once = once && !pl_writes_decl(&loop->stmts[i].effects, decl);
  return once && w.stays && sets_own_only(loop, node, &effects) ? decl : NULL;
}
