/* events_cell_fills.c - which cells do the statements of a load fill, and with what?
 *
 * Needs: a tree. Gives: fills, through variables of the thread's own; or that it is lost.
 * Raises: nothing. */
#include "events_cells.h"

#include <stdlib.h>

static const pl_cell_sum unknown;

/* ---- statements -------------------------------------------------------------------- */

static void lose(pl_cell_reading *r) { r->is_lost = true; }

static void under(pl_cell_reading *r, const pl_iset *where, pl_node *node,
                  void (*what)(pl_cell_reading *, pl_node *)) {
  const pl_iset *path = r->path;
  r->path = pl_iset_and(path, where);
  if (!r->path)
    lose(r);
  else
    what(r, node);
  r->path = path;
}

static void add_fill(pl_cell_reading *r, const pl_cell_place *to, pl_str from,
                     pl_cell_sum at, int64_t width) {
  if (!to->is_known || (!to->object && !to->local) || width <= 0 || !at.is_known)
    lose(r);
  else
    PL_PUSH(r->arena, r->fills, r->nfills, r->fills_cap,
            ((pl_cell_fill){to->object, to->local, from, to->at, at, width, r->path}));
}

/* `0.0f`, `make_float4(0, 0, 0, 0)` */
static bool is_constant(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  bool made = (node->kind == PL_NODE_CALL && pl_str_starts(node->name, "make_")) ||
              node->kind == PL_NODE_CONSTRUCT || node->kind == PL_NODE_INIT_LIST;
  for (uint32_t i = node->kind == PL_NODE_CALL; made && i < node->nkids; i++)
    if (!node->kids[i] || !is_constant(node->kids[i]))
      return false;
  return made || node->kind == PL_NODE_FLOATING || node->kind == PL_NODE_INT;
}

/* Whether all bytes of a constant are zeros: not of what a class makes. */
static bool is_zeros(const pl_cell_reading *r, const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  if (node->kind == PL_NODE_INT)
    return node->has_ival && node->ival == 0;
  if (node->kind == PL_NODE_FLOATING)
    return strtod(pl_arena_cstr(r->arena, pl_unit_slice(r->unit, node->range)), NULL) == 0;
  bool made = node->kind == PL_NODE_CALL && pl_str_starts(node->name, "make_");
  for (uint32_t i = 1; made && i < node->nkids; i++)
    if (!node->kids[i] || !is_zeros(r, node->kids[i]))
      return false;
  return made;
}

/* What a variable was given, in the iterations that gave it to that part of it. */
static void store_local(pl_cell_reading *r, const pl_cell_place *to,
                        const pl_cell_place *from) {
  const pl_iset *path = r->path;
  size_t before = r->nfills;
  bool found = false;
  for (size_t i = 0; i < before; i++) {
    const pl_cell_fill f = r->fills[i];
    const pl_iform *own = pl_sum_plain(r, &f.to), *due = pl_sum_plain(r, &from->at);
    if (!f.local || f.local != from->local)
      continue;
    found = true;
    r->path = pl_iset_and(pl_iset_and(path, f.within),
                          pl_iset_compare(own, PL_OP_EQ, due));
    if (!r->path || f.width != to->size)
      lose(r);
    else
      add_fill(r, to, f.from, f.at, f.width);
  }
  r->path = path;
  if (!found)
    lose(r);
}

/* A value, copied as it is. */
static void store(pl_cell_reading *r, const pl_cell_place *to, const pl_type *type,
                  pl_node *value) {
  value = pl_node_bare(value);
  if (value->kind == PL_NODE_COND) {
    const pl_iset *path = r->path, *yes = pl_cell_condition(r, value->kids[0]);
    for (int way = 0; way < 2 && yes; way++) {
      r->path = way ? pl_iset_minus(path, yes) : pl_iset_and(path, yes);
      store(r, to, type, value->kids[1 + way]);
    }
    r->path = path;
    if (!yes)
      lose(r);
    return;
  }
  if (value->kind == PL_NODE_REF && value->decl && pl_beginning_of(value) &&
      is_constant(pl_beginning_of(value)))
    value = pl_node_bare(pl_beginning_of(value));
  if (is_constant(value)) {
    pl_str text = is_zeros(r, value) ? PL_STR("0") : pl_unit_slice(r->unit, value->range);
    add_fill(r, to, pl_arena_printf(r->arena, "=%.*s", PL_FMT(text)),
             pl_number_sum(r, 0), to->size);
    return;
  }
  pl_cell_place from = pl_cell_place_of(r, value);
  if (!from.is_known || from.object || !value->type || !type ||
      !pl_same_type(value->type, type))
    lose(r);
  else if (from.local)
    store_local(r, to, &from);
  else
    add_fill(r, to, from.root, from.at, to->size);
}

static void assign(pl_cell_reading *r, pl_node *node) {
  pl_node *left = pl_node_bare(node->kids[0]);
  pl_cell_place to = pl_cell_place_of(r, left);
  if (node->op != PL_OP_ASSIGN || (!to.object && !to.local))
    lose(r);
  else
    store(r, &to, left->type, node->kids[1]);
}

/* Some bytes, and behind them zeros: how many those are may hang on a condition. */
static void copy_some(pl_cell_reading *r, const pl_cell_place *to, const pl_cell_place *from,
                      int64_t width, pl_node *zeros) {
  zeros = pl_node_bare(zeros);
  int64_t none = 0;
  if (zeros->kind == PL_NODE_COND) {
    const pl_iset *path = r->path, *yes = pl_cell_condition(r, zeros->kids[0]);
    for (int way = 0; way < 2 && yes; way++) {
      r->path = way ? pl_iset_minus(path, yes) : pl_iset_and(path, yes);
      copy_some(r, to, from, width, zeros->kids[1 + way]);
    }
    r->path = path;
    if (!yes)
      lose(r);
    return;
  }
  pl_cell_sum number = pl_sum_of(r, zeros);
  if (!pl_sum_is_number(&number, &none) || (none != 0 && none != width))
    lose(r);
  else if (none)
    add_fill(r, to, PL_STR("=0"), pl_number_sum(r, 0), width);
  else
    add_fill(r, to, from->root, from->at, width);
}

/* `__pipeline_memcpy_async(to, from, bytes, zeros)` */
static void copy(pl_cell_reading *r, pl_node *node) {
  bool primitive = pl_str_is(pl_last_name(node->name), "__pipeline_memcpy_async");
  bool is = node->nkids >= 4 && node->kids[1] && node->kids[2] && node->kids[3] &&
            (primitive ? node->nkids == 4 || (node->nkids == 5 && node->kids[4])
                       : pl_str_is(pl_last_name(node->name), "memcpy_async"));
  int64_t width = 0;
  if (!is) {
    lose(r);
    return;
  }
  pl_node *size = pl_node_bare(node->kids[3]);
  while (!size->has_ival &&
         (size->kind == PL_NODE_CONSTRUCT || size->kind == PL_NODE_CAST) &&
         size->nkids == 1)
    size = pl_node_bare(size->kids[0]);
  pl_cell_sum bytes = pl_sum_of(r, size);
  pl_cell_place to = pl_place_led_to(r, node->kids[1]),
                from = pl_place_led_to(r, node->kids[2]);
  if (!pl_sum_is_number(&bytes, &width) || !from.is_known || from.object || from.local)
    lose(r);
  else if (primitive && node->nkids == 5)
    copy_some(r, &to, &from, width, node->kids[4]);
  else
    add_fill(r, &to, from.root, from.at, width);
}

static void bind(pl_cell_reading *r, const pl_decl *decl, pl_cell_sum value) {
  for (size_t i = 0; i < r->nbound; i++)
    if (r->bound[i].decl == decl) {
      r->bound[i].value = value;
      return;
    }
  PL_PUSH(r->arena, r->bound, r->nbound, r->bound_cap,
          ((pl_cell_variable){decl, value}));
}

/* A number, or what it is given: of that which cannot be said nothing can be stored. */
static void declare_one(pl_cell_reading *r, const pl_node *var) {
  if (!var || var->kind != PL_NODE_VAR || !var->decl || !var->nkids || !var->kids[0])
    return;
  pl_cell_sum value =
      pl_is_wide_integer(var->decl->type) ? pl_sum_of(r, var->kids[0]) : unknown;
  size_t before = r->nfills;
  bool lost = r->is_lost;
  if (value.is_known) {
    bind(r, var->decl, value);
    return;
  }
  const pl_cell_place to = {
      true, 0, var->decl, {0}, pl_number_sum(r, 0), var->decl->type->size};
  store(r, &to, var->decl->type, var->kids[0]);
  if (r->is_lost && !lost) {
    r->is_lost = false;
    r->nfills = before;
  }
}

static void declare(pl_cell_reading *r, const pl_node *node) {
  for (uint32_t i = 0; i < node->nkids; i++)
    declare_one(r, node->kids[i]);
}

static void branch(pl_cell_reading *r, const pl_node *node) {
  const pl_iset *yes = pl_cell_condition(r, node->kids[0]);
  if (!yes) {
    lose(r);
    return;
  }
  if (node->kids[1])
    under(r, yes, node->kids[1], pl_run_fills);
  if (node->kids[2])
    under(r, pl_iset_minus(pl_iset_all(r->ints), yes), node->kids[2], pl_run_fills);
}

/* Whether what holds of a number holds of each smaller one. */
static bool is_bound(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  if (node->kind != PL_NODE_BINARY)
    return false;
  return node->op == PL_OP_LAND ? is_bound(node->kids[0]) && is_bound(node->kids[1])
                                : node->op == PL_OP_LT || node->op == PL_OP_LE;
}

/* What a step adds to a variable. */
static pl_cell_sum step_of(pl_cell_reading *r, const pl_node *step,
                           const pl_decl *decl) {
  const pl_node *target = step && step->nkids ? pl_node_bare(step->kids[0]) : NULL;
  if (!target || target->kind != PL_NODE_REF || target->decl != decl)
    return unknown;
  if (step->kind == PL_NODE_UNARY &&
      (step->op == PL_OP_PREINC || step->op == PL_OP_POSTINC))
    return pl_number_sum(r, 1);
  return step->kind == PL_NODE_ASSIGN && step->op == PL_OP_ADD
             ? pl_sum_of(r, step->kids[1]) : unknown;
}

/* `for (int e = tid; e < 512; e += 64)`: of any iteration. */
static void loop(pl_cell_reading *r, pl_node *node) {
  const pl_node *init = node->kids[0];
  const pl_node *var = init && init->kind == PL_NODE_DECL_STMT && init->nkids == 1
                           ? init->kids[0] : NULL;
  const pl_decl *decl = var && var->nkids && var->kids[0] ? var->decl : NULL;
  int64_t by = 0;
  pl_cell_sum step = decl ? step_of(r, node->kids[2], decl) : unknown;
  if (!decl || !node->kids[1] || !is_bound(node->kids[1]) ||
      !pl_sum_is_number(&step, &by) || by <= 0 || !pl_is_wide_integer(decl->type)) {
    lose(r);
    return;
  }
  const pl_iform *turn =
      pl_iform_name(r->ints, pl_arena_printf(r->arena, "n%d", r->counters++).p);
  bind(
      r, decl,
      pl_sum_add(pl_sum_of(r, var->kids[0]), pl_form_sum(pl_iform_scale(turn, by)), 1));
  const pl_iset *goes_on =
      pl_iset_and(pl_iset_compare(turn, PL_OP_GE, pl_iform_number(r->ints, 0)),
                  pl_cell_condition(r, node->kids[1]));
  r->loops++;
  if (goes_on)
    under(r, goes_on, node->kids[3], pl_run_fills);
  else
    lose(r);
  r->loops--;
}

void pl_run_fills(pl_cell_reading *r, pl_node *node) {
  if (r->is_lost || !node)
    return;
  switch (node->kind) {
  case PL_NODE_COMPOUND:
    for (uint32_t i = 0; i < node->nkids; i++)
      pl_run_fills(r, node->kids[i]);
    return;
  case PL_NODE_EMPTY:
  case PL_NODE_OTHER_DECL: return;
  case PL_NODE_DECL_STMT: declare(r, node); return;
  case PL_NODE_VAR: declare_one(r, node); return;
  case PL_NODE_IF: branch(r, node); return;
  case PL_NODE_FOR: loop(r, node); return;
  case PL_NODE_ASSIGN: assign(r, node); return;
  case PL_NODE_CALL: copy(r, node); return;
  default: lose(r);
  }
}
