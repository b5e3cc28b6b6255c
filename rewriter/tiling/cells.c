/* cells.c - which cells of a tile does a thread store to?
 *
 * Needs: the copies of a fill. Gives: the cells that the text of the fill
 * stores to, run for a thread with what is not known as numbers. Raises:
 * nothing. */
#include "cells.h"
#include "cfg.h"
#include "copies.h"

#define MOST_SHARED 232448 /* bytes that a block can have */

static pl_next run(pl_machine *m, pl_node *node);

static pl_tile *handed_tile(const pl_machine *m, const pl_decl *decl) {
  for (size_t i = m->nhanded; i-- > 0;)
    if (m->handed[i].param == decl)
      return m->handed[i].tile;
  return NULL;
}

/* The indices of `s[i][j]`, where arrays of a known length are indexed. */
static void note_indices(pl_machine *m, const pl_copy *copy, pl_cell *cell) {
  pl_node *at = pl_node_bare(copy->dst);
  for (int i = 0; i < PL_CELL_RANKS && at->kind == PL_NODE_SUBSCRIPT; i++) {
    cell->index[i] = pl_cell_value(m, at->kids[1]);
    at = pl_node_bare(at->kids[0]);
  }
}

/* What is not noted may meet any other cell. */
static void store(pl_machine *m, const pl_copy *copy) {
  pl_tile *outer = handed_tile(m, copy->tile->decl);
  pl_cell fresh = {
      .copy = copy, .tile = outer ? outer : copy->tile, .where = m->where};
  m->rests = 0;
  fresh.begin = pl_cell_place(m, copy->dst);
  m->differs = m->differs || (m->rests & ON_WORLD);
  fresh.end = fresh.begin + (copy->bytes > 0 ? copy->bytes : 1);
  note_indices(m, copy, &fresh);
  m->cut = m->cut || m->ncells >= m->most_cells || m->steps > PL_MOST_STEPS;
  if (!m->cut && copy->load)
    PL_PUSH(m->loop->arena, m->cells, m->ncells, m->cells_cap, fresh);
}

/* ---- loops --------------------------------------------------------------- */

/* One time that a loop is run. */
typedef struct turns {
  const pl_node *loop, *body;
  bool open; /* how often it runs is not known */
  size_t from, iteration; /* the first cell of it, of its last iteration */
  int beyond, idle; /* iterations one after the other */
} turns;

#define MOST_BEYOND 256 /* of stores that a guard may leave out */
#define MOST_IDLE 64    /* without a store */

static bool goes_on(pl_machine *m, turns *t, pl_node *cond) {
  m->counts = true;
  m->rests = 0;
  m->cut = m->cut || m->ncells >= m->most_cells || m->steps++ >= PL_MOST_STEPS;
  bool bends = m->bends;
  bool more = !m->cut && (!cond || pl_cell_value(m, cond));
  m->counts = false;
  pl_cell_choose_by(m);
  if (m->rests & ON_WORLD) {
    m->differs = t->open = true;
    m->bends = bends || pl_node_changes(cond);
  }
  return more;
}

/* Whether a branch, or a continue, may leave a store of a loop out. */
static bool is_guarded(const turns *t, const pl_copy *copy) {
  if (pl_cfg_jump_out(t->body, PL_JUMP_CONTINUE))
    return true;
  for (const pl_node *up = copy->store->parent; up && up != t->loop;
       up = up->parent)
    if (up->kind == PL_NODE_IF)
      return true;
  return false;
}

/* Whether two cells of one copy cannot both be within its tile. */
static bool is_beyond(const pl_machine *m, const pl_cell *a, const pl_cell *b) {
  int64_t bytes = pl_type_size(pl_decl_type(a->tile->decl, m->instance),
                               m->loop->func, m->instance);
  int64_t apart = a->begin - b->begin;
  const pl_node *at = pl_node_bare(a->copy->dst);
  bytes = bytes > 0 ? bytes : MOST_SHARED;
  if (apart >= bytes || -apart >= bytes)
    return true;
  for (int i = 0; i < PL_CELL_RANKS && at->kind == PL_NODE_SUBSCRIPT; i++) {
    int64_t count = pl_cell_rows(m, at->kids[0]);
    int64_t step = a->index[i] - b->index[i];
    if (count > 0 && (step >= count || -step >= count))
      return true;
    at = pl_node_bare(at->kids[0]);
  }
  return false;
}

static const pl_cell *first_of(const pl_machine *m, size_t from,
                               const pl_copy *copy) {
  while (m->cells[from].copy != copy)
    from++;
  return &m->cells[from];
}

/* Whether a loop whose end is not known cannot have come as far as this: a
 * store of its last iteration leads out of the tile that the first one was made
 * to. */
static bool is_past_end(pl_machine *m, turns *t) {
  bool beyond = false;
  size_t before = t->iteration;
  t->idle = m->ncells == t->iteration ? t->idle + 1 : 0;
  for (size_t i = t->iteration; t->iteration > t->from && i < m->ncells; i++) {
    const pl_cell *cell = &m->cells[i];
    const pl_cell *first = first_of(m, t->from, cell->copy);
    if (first_of(m, t->iteration, cell->copy) != cell ||
        !is_beyond(m, cell, first))
      continue;
    beyond = true;
    if (is_guarded(t, cell->copy))
      continue;
    m->ncells = before;
    return true;
  }
  t->beyond = beyond ? t->beyond + 1 : 0;
  t->iteration = m->ncells;
  return t->beyond > MOST_BEYOND || t->idle > MOST_IDLE;
}

/* Runs the body once; false: the loop is left. */
static bool run_once(pl_machine *m, turns *t, pl_node *next) {
  pl_kept kept = {m->nkept, 0};
  bool jumps = t->body && pl_cell_written(m, (pl_node *)t->body)->jumps;
  if (jumps)
    kept = pl_cell_keep(m, (pl_node *)t->body);
  pl_next then = run(m, (pl_node *)t->body);
  if (m->jumped)
    pl_cell_forget_changed(m, kept, t->body);
  t->open = t->open || m->jumped;
  pl_cell_drop(m, kept);
  if (then == PL_BREAKS)
    return false;
  if (next)
    pl_cell_value(m, next);
  return true;
}

static void run_loop(pl_machine *m, pl_node *loop, pl_node *cond,
                     pl_node *next) {
  uint64_t before = m->where;
  bool jumped = m->jumped;
  turns t = {.loop = loop, .body = pl_node_loop_body(loop)};
  pl_kept kept = pl_cell_keep(m, loop);
  t.from = t.iteration = m->ncells;
  m->jumped = false;
  for (uint64_t i = 0; goes_on(m, &t, cond); i++) {
    m->where = pl_cell_mix(
        pl_cell_mix(before, t.body ? t.body->range.begin : 0), i + 1);
    if (!run_once(m, &t, next) || (t.open && is_past_end(m, &t)))
      break;
  }
  m->where = before;
  if (t.open || m->jumped)
    pl_cell_forget_changed(m, kept, loop);
  pl_cell_drop(m, kept);
  m->jumped = jumped;
}

/* ---- branches ------------------------------------------------------------ */

/* Both arms, one after the other, of which neither decides over what is behind
 * them. */
static pl_next run_arms(pl_machine *m, pl_node *branch) {
  run(m, branch->kids[1]);
  run(m, branch->nkids > 2 ? branch->kids[2] : NULL);
  return PL_GOES_ON;
}

static pl_next run_either(pl_machine *m, pl_node *branch) {
  pl_kept before = pl_cell_keep(m, branch), after;
  pl_next then = run(m, branch->kids[1]), other;
  after = pl_cell_keep(m, branch);
  after.n = before.n;
  pl_cell_restore(m, before);
  other = run(m, branch->nkids > 2 ? branch->kids[2] : NULL);
  m->differs = true;
  m->jumped = m->jumped || then != other;
  if (other != PL_GOES_ON && then == PL_GOES_ON)
    pl_cell_restore(m, after);
  else if (then == PL_GOES_ON || other == then)
    pl_cell_forget_changed(m, after, branch);
  pl_cell_drop(m, before);
  return then == other ? then
         : then == PL_GOES_ON || other == PL_GOES_ON ? PL_GOES_ON
                                                     : PL_CONTINUES;
}

/* Where the arms only store, both are run, whatever the condition is: what is
 * exclusive is known from the text. */
static pl_next run_branch(pl_machine *m, pl_node *branch) {
  const struct pl_written *arms = pl_cell_written(m, branch);
  bool bends = m->bends, decides = arms->jumps || arms->n;
  m->rests = 0;
  int64_t value = pl_cell_value(m, branch->kids[0]);
  if (!decides || (m->rests & ON_WORLD))
    m->bends = bends || (m->bends && pl_node_changes(branch->kids[0]));
  if (!decides)
    return run_arms(m, branch);
  if (m->rests & ON_WORLD)
    return run_either(m, branch);
  pl_cell_choose_by(m);
  return run(m, value                ? branch->kids[1]
                : branch->nkids > 2 ? branch->kids[2]
                                    : NULL);
}

/* ---- calls --------------------------------------------------------------- */

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

/* Whether two calls of the fill store to other fields of what they are handed. */
static bool fill_other_fields(const pl_fill *fill, const pl_node *a,
                              const pl_node *b) {
  const pl_fill_call *one = pl_fill_call_at(fill, a);
  const pl_fill_call *two = pl_fill_call_at(fill, b);
  return one && two && pl_fill_other_fields(one, two);
}

/* A template's text cannot be run with the caller's constants: another call
 * that fills the same tile may meet it. */
static void mark_other_calls(pl_machine *m, const pl_node *call) {
  for (size_t i = 0; i < m->nhanded; i++)
    for (size_t k = 0; k < m->nhanded; k++)
      if (m->handed[i].call == call && m->handed[k].call != call &&
          m->handed[i].tile == m->handed[k].tile &&
          !pl_are_exclusive(m->handed[k].call, call) &&
          !fill_other_fields(m->fill, m->handed[k].call, call) &&
          !are_apart(m->loop->unit, m->handed[i].arg, m->handed[k].arg))
        m->handed[i].tile->stored_twice = true;
}

/* Runs a load helper's text with its arguments. */
static void enter_helper(pl_machine *m, const pl_fill_call *call) {
  const pl_func *func = call->body->func, *outer = m->func;
  const pl_fill *fill = m->fill;
  uint64_t where = m->where;
  m->cut = m->cut || m->depth > 8;
  if (m->cut)
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

static void run_helper(pl_machine *m, const pl_fill_call *call) {
  enter_helper(m, call);
  pl_cell_forget_written(m, call->node);
}

static pl_next run_all(pl_machine *m, const pl_node *block) {
  pl_next next = PL_GOES_ON;
  for (uint32_t i = 0; i < block->nkids && next == PL_GOES_ON; i++)
    next = run(m, block->kids[i]);
  return next;
}

static pl_next run_plainly(pl_machine *m, pl_node *node) {
  switch (node->kind) {
  case PL_NODE_VAR:
    if (node->nkids && node->decl)
      pl_cell_declare(m, node->decl, node->kids[0]);
    break;
  case PL_NODE_FOR:
    run(m, node->kids[0]);
    run_loop(m, node, node->kids[1], node->kids[2]);
    break;
  case PL_NODE_WHILE:
    run_loop(m, node, node->kids[0], NULL);
    break;
  case PL_NODE_DO:
    if (run(m, node->kids[0]) != PL_BREAKS)
      run_loop(m, node, node->kids[1], NULL);
    break;
  case PL_NODE_ASSIGN:
    pl_cell_assignment(m, node);
    break;
  case PL_NODE_ASM:
  case PL_NODE_SWITCH:
  case PL_NODE_RANGE_FOR:
  case PL_NODE_UNKNOWN:
    pl_cell_forget_written(m, node);
    break;
  default:
    pl_cell_value(m, node);
  }
  return PL_GOES_ON;
}

static pl_next run(pl_machine *m, pl_node *node) {
  if (!node)
    return PL_GOES_ON;
  m->cut = m->cut || ++m->steps > PL_MOST_STEPS;
  const pl_fill_call *call = m->cut ? NULL : pl_fill_call_at(m->fill, node);
  const pl_copy *copy = pl_fill_copy(m->fill, node);
  if (call)
    run_helper(m, call);
  else if (copy && copy->changes)
    pl_cell_value(m, copy->src);
  if (copy)
    store(m, copy);
  if (call || copy || m->cut)
    return PL_GOES_ON;
  switch (node->kind) {
  case PL_NODE_COMPOUND:
  case PL_NODE_DECL_STMT:
    return run_all(m, node);
  case PL_NODE_IF:
    return run_branch(m, node);
  case PL_NODE_BREAK:
    return PL_BREAKS;
  case PL_NODE_CONTINUE:
    return PL_CONTINUES;
  default:
    return run_plainly(m, node);
  }
}

void pl_run_fill(pl_machine *m) {
  for (size_t i = 0; i < m->fill->nroots; i++)
    run(m, m->fill->roots[i]);
}
