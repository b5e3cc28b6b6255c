/* own_steps.c - what moves on by an amount that is no sum, and yet needs nothing of
 * compute?
 *
 * Needs: the load slice, and the steps that recurrences.c knows. Gives: variables that
 * statements of the body, or the header, set from values of the load side alone:
 * `left -= m`, `seed = seed * a + c`, `if (odd) at += 2; else --at;`. Raises: PL2001.
 *
 * Each side owns a copy of such a variable and runs the statements in the order of
 * the text, so it does not matter which function of its old value the new one is. But
 * the steps behind the last fill wait until compute is done, and what stands among
 * them must not: so nothing else may. */
#include "slices.h"

/* ---- steps that are any function of the load side's values ---------------- */

/* Whether a variable outlives an iteration, and each side may have one. */
static bool is_carried_scalar(const pl_loop *loop, const pl_decl *decl) {
  return pl_is_private(decl) && !decl->is_static && pl_is_value_type(decl->type) &&
         (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
         !pl_declared_inside(decl, loop->body);
}

/* Whether a node does more than to read and set the thread's own variables. */
static bool does_more(pl_node *node, const void *loop) {
  switch (node->kind) {
  case PL_NODE_ASM: case PL_NODE_LAMBDA: case PL_NODE_UNKNOWN:
  case PL_NODE_GOTO: case PL_NODE_LABEL: case PL_NODE_RETURN:
  case PL_NODE_CONTINUE: case PL_NODE_THIS: case PL_NODE_RANGE_FOR:
  case PL_NODE_LAUNCH:
    return true;
  case PL_NODE_REF:
    return node->decl &&
           (node->decl->kind == PL_DECL_VAR || node->decl->kind == PL_DECL_PARAM) &&
           (!pl_is_private(node->decl) || node->decl->is_static ||
            pl_filling_writer(loop, node->decl));
  default:
    return false;
  }
}

/* Whether a piece of text does nothing but to read memory, as a load of the same tile
 * would, and to read and set the thread's own variables: those that outlive the iteration
 * under their own names, the others only where they are its own. */
static bool sets_own_only(const pl_loop *loop, pl_node *node,
                          const pl_effects *effects) {
  for (size_t i = 0; i < effects->n; i++) {
    const pl_effect *effect = &effects->items[i];
    bool own = effect->space == PL_SPACE_LOCAL ||
               (effect->kind == PL_EFFECT_READ && (effect->space == PL_SPACE_CONSTANT ||
                                                   effect->space == PL_SPACE_GLOBAL));
    bool sets = effect->kind == PL_EFFECT_WRITE;
    if (!own || (effect->kind != PL_EFFECT_READ && !sets))
      return false;
    if (sets && (!effect->root.decl || effect->root.member.n || !effect->direct ||
                 effect->by_call ||
                 (!pl_declared_inside(effect->root.decl, node) &&
                  !is_carried_scalar(loop, effect->root.decl))))
      return false;
  }
  return !pl_node_find(node, does_more, loop);
}

static bool is_float(const pl_decl *decl) {
  return decl && decl->type && decl->type->kind == PL_TYPE_FLOAT;
}

static bool is_loaded(pl_node *node, const void *context) {
  const pl_loop *loop = context;
  for (size_t i = 0; node->kind == PL_NODE_REF && node->decl && i < loop->nstmts; i++)
    if (pl_writes_decl(&loop->stmts[i].effects, node->decl) &&
        pl_effects_read_global(&loop->stmts[i].effects))
      return true;
  return false;
}

/* Whether a statement may be one: nothing else has taken it. No value of the
 * elements' own rolls from one tile to the next, only what leads to them. */
static bool is_candidate(pl_loop *loop, const pl_stmt *stmt) {
  for (size_t j = 0; j < stmt->effects.n; j++) {
    const pl_effect *effect = &stmt->effects.items[j];
    if (effect->kind == PL_EFFECT_WRITE &&
        (pl_rolls_loaded_value(loop, effect->root.decl) ||
         (is_float(effect->root.decl) && pl_node_find(stmt->node, is_loaded, loop))))
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

/* `left = n - k`, `if (k + T > n) left = n - k`: not from what it was. */
static bool sets_anew(pl_node *node, const pl_decl *decl) {
  node = pl_node_bare(node);
  if (node->kind == PL_NODE_IF && (node->nkids < 3 || !node->kids[2]) &&
      !pl_mentions(node->kids[0], decl))
    node = pl_only_statement(node->kids[1]);
  return pl_sets_whole(node, decl);
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
                          .stmt = (int)at};
    step.derived = sets_anew(stmt->node, step.decl);
    step.uneven = !step.derived;
    step.in_header = loop->init && step.decl->node &&
                     pl_node_within(step.decl->node, loop->init);
    PL_PUSH(loop->arena, loop->recurrences, loop->nrecurrences,
            loop->recurrences_cap, step);
  }
  stmt->is_advance = true;
}

void pl_find_own_steps(pl_loop *loop) {
  bool *candidate = PL_NEW_ARRAY(loop->arena, bool, loop->nstmts + 1);
  if (loop->passes_over || loop->searches || loop->caller)
    return;
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
  }
}

/* What the load side does behind steps that wait, other than steps; NULL:
 * nothing. */
static const pl_stmt *work_behind_steps(const pl_loop *loop) {
  const pl_stmt *behind = NULL;
  bool waits = false;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (stmt->fills) {
      waits = false;
      behind = NULL;
    } else if (stmt->in_load && stmt->is_advance)
      waits = true;
    else if (stmt->in_load && !stmt->is_barrier && waits && !behind)
      behind = stmt;
  }
  return behind;
}

bool pl_check_own_steps(pl_loop *loop) {
  const pl_stmt *behind = work_behind_steps(loop);
  for (size_t i = 0; behind && i < loop->nrecurrences; i++)
    if (loop->recurrences[i].uneven)
      return pl_refuse(loop, false, "PL2001", behind->node,
                       "the way to the next tile needs this, which stands behind "
                       "a step to it; ahead of the steps it is no hindrance");
  return true;
}

/* Whether the condition asks for a variable, or what it asks is made from it. */
static bool decides(const pl_loop *loop, const pl_decl *decl) {
  for (size_t i = 0; i < loop->nrecurrences; i++) {
    const pl_recurrence *r = &loop->recurrences[i];
    if (r->derived && r->decl != decl && pl_mentions(r->step, decl))
      return true;
  }
  for (size_t i = 0; i < loop->nhead; i++)
    if (loop->head[i].needed && pl_mentions(loop->head[i].node, decl))
      return true;
  return loop->cond && pl_mentions(loop->cond, decl);
}

void pl_share_own_steps(const pl_loop *loop, pl_closure *compute) {
  for (size_t i = 0; i < loop->nrecurrences; i++)
    if (loop->recurrences[i].uneven && decides(loop, loop->recurrences[i].decl))
      pl_add_statement(compute, (size_t)loop->recurrences[i].stmt);
}

/* ---- of the header -------------------------------------------------------- */

typedef struct others {
  const pl_loop *loop;
  const pl_decl *decl;
} others;

static bool is_other_written(pl_node *node, const void *context) {
  const others *o = context;
  return node->kind == PL_NODE_REF && node->decl && node->decl != o->decl &&
         pl_written_in_loop(o->loop, node->decl);
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
  bool once = pl_count_writes(&effects, decl) == 1 &&
              pl_count_writes(&loop->header_effects, decl) == 1;
  for (size_t i = 0; i < loop->nstmts; i++)
    once = once && !pl_writes_decl(&loop->stmts[i].effects, decl);
  return once && !pl_node_find(node, is_other_written, &(others){loop, decl}) &&
                 sets_own_only(loop, node, &effects)
             ? decl
             : NULL;
}
