/* uneven.c - which variables step by an amount that is another for each tile?
 *
 * Needs: the load slice and the even steps. Gives: variables that a statement of
 * the body moves on by an amount that the load side works out, as in
 * `m = min(T, left); ... left -= m;`. Raises: PL2001.
 *
 * Each side does all that the amount is made from in the order of the text. But
 * the steps behind the last fill wait until compute is done, and what stands
 * among them must not: so nothing else may. */
#include "slices.h"

static bool is_set_elsewhere(pl_node *node, const void *loop) {
  return node->kind == PL_NODE_REF && node->decl &&
         (node->decl->kind == PL_DECL_VAR || node->decl->kind == PL_DECL_PARAM) &&
         (!pl_is_private(node->decl) || pl_filling_writer(loop, node->decl));
}

/* Whether an amount is made from the thread's own variables alone. */
static bool is_worked_out(pl_loop *loop, pl_node *amount) {
  pl_effects effects = pl_effects_in(loop, amount);
  for (size_t i = 0; i < effects.n; i++)
    if (effects.items[i].kind != PL_EFFECT_READ ||
        effects.items[i].space != PL_SPACE_LOCAL)
      return false;
  return !pl_node_find(amount, is_set_elsewhere, loop);
}

/* `x += e` and `x -= e`; `x = x + e`, `x = e + x` and `x = x - e`: what is added.
 * NULL: it is none of them. */
static pl_node *added_to(const pl_node *assign, const pl_decl *decl) {
  pl_node *value = pl_node_bare(assign->kids[1]);
  if (assign->op == PL_OP_ADD || assign->op == PL_OP_SUB)
    return value;
  if (assign->op != PL_OP_ASSIGN || value->kind != PL_NODE_BINARY ||
      (value->op != PL_OP_ADD && value->op != PL_OP_SUB))
    return NULL;
  for (uint32_t i = 0; i < (value->op == PL_OP_ADD ? 2u : 1u); i++) {
    const pl_node *kid = pl_node_bare(value->kids[i]);
    if (kid->kind == PL_NODE_REF && kid->decl == decl)
      return value->kids[1 - i];
  }
  return NULL;
}

static bool is_number_or_pointer(const pl_type *type) {
  return type && (type->kind == PL_TYPE_INT || type->kind == PL_TYPE_POINTER);
}

static pl_decl *uneven_variable(pl_loop *loop, const pl_stmt *stmt) {
  const pl_node *node = pl_node_bare(stmt->node);
  if (node->kind != PL_NODE_ASSIGN)
    return NULL;
  const pl_node *target = pl_node_bare(node->kids[0]);
  pl_decl *decl = target->kind == PL_NODE_REF ? target->decl : NULL;
  if (!decl || !pl_is_private(decl) || !is_number_or_pointer(decl->type) ||
      pl_declared_inside(decl, loop->body) || pl_steps_of(loop, decl))
    return NULL;
  pl_node *amount = added_to(node, decl);
  return amount && is_worked_out(loop, amount) ? decl : NULL;
}

static size_t writes_of(const pl_loop *loop, const pl_decl *decl) {
  size_t n = pl_count_writes(&loop->header_effects, decl);
  for (size_t i = 0; i < loop->nstmts; i++)
    n += pl_count_writes(&loop->stmts[i].effects, decl);
  return n;
}

void pl_find_uneven_steps(pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts && !loop->passes_over; i++) {
    pl_stmt *stmt = &loop->stmts[i];
    if (stmt->is_barrier || !stmt->in_load || stmt->fills || stmt->is_advance ||
        stmt->always)
      continue;
    pl_decl *decl = uneven_variable(loop, stmt);
    if (!decl || writes_of(loop, decl) != 1)
      continue;
    pl_recurrence step = {.decl = decl, .step = stmt->node, .stmt = (int)i,
                          .uneven = true};
    step.in_header = loop->init && decl->node &&
                     pl_node_within(decl->node, loop->init);
    PL_PUSH(loop->arena, loop->recurrences, loop->nrecurrences,
            loop->recurrences_cap, step);
    stmt->is_advance = true;
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

bool pl_check_uneven_steps(pl_loop *loop) {
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

void pl_share_uneven_steps(const pl_loop *loop, pl_closure *compute) {
  for (size_t i = 0; i < loop->nrecurrences; i++)
    if (loop->recurrences[i].uneven && decides(loop, loop->recurrences[i].decl))
      pl_add_statement(compute, (size_t)loop->recurrences[i].stmt);
}
