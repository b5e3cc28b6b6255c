/* cells.c - which cells of a tile does a thread store to?
 *
 * Needs: the copies of a fill. Gives: the cells that the text of the fill
 * stores to, run for a thread with what is not known as numbers. Raises:
 * nothing. */
#include "cells.h"

static void run(pl_machine *m, pl_node *node);

static pl_tile *handed_tile(const pl_machine *m, const pl_decl *decl) {
  for (size_t i = m->nhanded; i-- > 0;)
    if (m->handed[i].param == decl)
      return m->handed[i].tile;
  return NULL;
}

/* A cell whose place was cut short is none. */
static void store(pl_machine *m, const pl_copy *copy) {
  pl_tile *outer = handed_tile(m, copy->tile->decl);
  pl_cell fresh = {
      .copy = copy, .tile = outer ? outer : copy->tile, .where = m->where};
  m->rests = 0;
  fresh.begin = pl_cell_place(m, copy->dst);
  m->differs = m->differs || (m->rests & ON_WORLD);
  fresh.end = fresh.begin + (copy->bytes > 0 ? copy->bytes : 1);
  if (m->ncells < m->most_cells && m->steps <= PL_MOST_STEPS && copy->load)
    PL_PUSH(m->loop->arena, m->cells, m->ncells, m->cells_cap, fresh);
}

static bool goes_on(pl_machine *m, pl_node *cond) {
  m->counts = true;
  m->rests = 0;
  bool more = m->ncells < m->most_cells && m->steps++ < PL_MOST_STEPS &&
              (!cond || pl_cell_value(m, cond));
  m->counts = false;
  pl_cell_choose_by(m);
  m->differs = m->differs || (m->rests & ON_WORLD);
  return more;
}

static void run_loop(pl_machine *m, pl_node *cond, pl_node *body,
                     pl_node *next) {
  uint64_t before = m->where;
  for (uint64_t i = 0; goes_on(m, cond); i++) {
    m->where =
        pl_cell_mix(pl_cell_mix(before, body ? body->range.begin : 0), i + 1);
    run(m, body);
    if (next)
      pl_cell_value(m, next);
  }
  m->where = before;
}

/* Both arms of a branch are run, whatever its condition is. */
static void ask(pl_machine *m, pl_node *cond) {
  bool bends = m->bends;
  pl_cell_value(m, cond);
  m->bends = bends || (m->bends && pl_node_changes(cond));
}

/* Gives a load helper's parameter what it is handed. */
static void hand(pl_machine *m, const pl_decl *param, pl_node *arg,
                 const pl_node *call) {
  pl_roots roots = {0};
  pl_roots_of(m->loop->effects, m->func, arg, &roots);
  pl_cell_declare(m, param, arg);
  for (size_t i = 0; i < roots.n; i++) {
    const pl_decl *decl = roots.items[i].decl;
    pl_tile *tile = decl ? handed_tile(m, decl) : NULL;
    struct handed fresh = {param, tile ? tile : pl_loop_tile(m->loop, decl),
                           call, arg};
    if (fresh.tile)
      PL_PUSH(m->loop->arena, m->handed, m->nhanded, m->handed_cap, fresh);
  }
}

/* Whether two arguments are arrays that lie apart: members of one record, rows
 * of one array. */
static bool are_apart(const pl_unit *unit, pl_node *a, pl_node *b) {
  a = pl_node_bare(a);
  b = pl_node_bare(b);
  if (a->kind != b->kind || !a->nkids || !b->nkids || a->is_arrow ||
      b->is_arrow || !pl_same_text(unit, a->kids[0], b->kids[0]))
    return false;
  if (a->kind == PL_NODE_MEMBER)
    return !pl_str_eq(a->name, b->name);
  return a->kind == PL_NODE_SUBSCRIPT && a->type && a->kids[1]->has_ival &&
         a->type->kind == PL_TYPE_ARRAY && b->kids[1]->has_ival &&
         a->kids[1]->ival != b->kids[1]->ival;
}

/* A template's text cannot be run with the caller's constants: another call
 * that fills the same tile may meet it. */
static void mark_other_calls(pl_machine *m, const pl_node *call) {
  for (size_t i = 0; i < m->nhanded; i++)
    for (size_t k = 0; k < m->nhanded; k++)
      if (m->handed[i].call == call && m->handed[k].call != call &&
          m->handed[i].tile == m->handed[k].tile &&
          !pl_are_exclusive(m->handed[k].call, call) &&
          !are_apart(m->loop->unit, m->handed[i].arg, m->handed[k].arg))
        m->handed[i].tile->stored_twice = true;
}

/* Runs a load helper's text with its arguments. */
static void run_helper(pl_machine *m, const pl_fill_call *call) {
  const pl_func *func = call->body->func, *outer = m->func;
  const pl_fill *fill = m->fill;
  uint64_t where = m->where;
  if (m->depth > 8)
    return;
  for (uint32_t i = 0; i < func->nparams && i + 1 < call->node->nkids; i++)
    hand(m, func->params[i], call->node->kids[i + 1], call->node);
  if (func->is_template || outer->is_template) {
    mark_other_calls(m, call->node);
    return;
  }
  m->depth++;
  m->func = func;
  m->fill = &call->body->fill;
  m->where = pl_cell_mix(where, call->node->range.begin);
  for (size_t i = 0; i < m->fill->nroots; i++)
    run(m, m->fill->roots[i]);
  m->where = where;
  m->fill = fill;
  m->func = outer;
  m->depth--;
}

static void run(pl_machine *m, pl_node *node) {
  if (!node || ++m->steps > PL_MOST_STEPS)
    return;
  const pl_fill_call *call = pl_fill_call_at(m->fill, node);
  if (call) {
    run_helper(m, call);
    return;
  }
  const pl_copy *copy = pl_fill_copy(m->fill, node);
  if (copy) {
    if (copy->changes)
      pl_cell_value(m, copy->src);
    store(m, copy);
    return;
  }
  switch (node->kind) {
  case PL_NODE_COMPOUND:
  case PL_NODE_DECL_STMT:
    for (uint32_t i = 0; i < node->nkids; i++)
      run(m, node->kids[i]);
    return;
  case PL_NODE_VAR:
    if (node->nkids && node->decl)
      pl_cell_declare(m, node->decl, node->kids[0]);
    return;
  case PL_NODE_FOR:
    run(m, node->kids[0]);
    run_loop(m, node->kids[1], node->kids[3], node->kids[2]);
    return;
  case PL_NODE_WHILE:
    run_loop(m, node->kids[0], node->kids[1], NULL);
    return;
  case PL_NODE_DO:
    run(m, node->kids[0]);
    run_loop(m, node->kids[1], node->kids[0], NULL);
    return;
  case PL_NODE_IF:
    ask(m, node->kids[0]);
    run(m, node->kids[1]);
    run(m, node->nkids > 2 ? node->kids[2] : NULL);
    return;
  case PL_NODE_ASSIGN:
    pl_cell_assignment(m, node);
    return;
  default:
    pl_cell_value(m, node);
  }
}

void pl_run_fill(pl_machine *m) {
  for (size_t i = 0; i < m->fill->nroots; i++)
    run(m, m->fill->roots[i]);
}
