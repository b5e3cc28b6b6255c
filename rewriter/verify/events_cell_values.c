/* events_cell_values.c - what are the indices and addresses of a load, and under which
 * conditions?
 *
 * Needs: a tree, and what is known of its variables. Gives: sums, places and sets over
 * threads and iterations. Raises: nothing. */
#include "events_cells.h"
#include "reaching_definitions.h"

#include <string.h>

enum { MOST_DEPTH = 12 };

const char *const pl_cell_threads[3] = {"threadIdx.x", "threadIdx.y", "threadIdx.z"};

/* ---- sums ---------------------------------------------------------------------- */

static const pl_cell_sum unknown;

pl_cell_sum pl_form_sum(const pl_iform *form) {
  return (pl_cell_sum){form != NULL, {{.by = form}}, 1};
}

pl_cell_sum pl_number_sum(const pl_cell_reading *r, int64_t number) {
  return (pl_cell_sum){true,
               {{.by = pl_iform_number(r->ints, number), .is_number = true,
                 .number = number}},
               1};
}

static pl_cell_sum symbol_sum(pl_cell_reading *r, pl_str name) {
  size_t i = 0;
  while (i < r->nsymbols && !pl_str_eq(r->symbols[i], name))
    i++;
  if (i == r->nsymbols)
    PL_PUSH(r->arena, r->symbols, r->nsymbols, r->symbols_cap, name);
  pl_cell_sum made = pl_number_sum(r, 1);
  made.items[0].symbol = name;
  return made;
}

static void add_term(pl_cell_sum *to, pl_cell_term t) {
  for (size_t i = 0; i < to->n; i++) {
    pl_cell_term *own = &to->items[i];
    if (!pl_str_eq(own->symbol, t.symbol))
      continue;
    own->by = pl_iform_add(own->by, t.by);
    own->is_number &= t.is_number;
    own->number += t.number;
    return;
  }
  to->is_known &= to->n < PL_CELL_TERMS;
  if (to->is_known)
    to->items[to->n++] = t;
}

pl_cell_sum pl_sum_add(pl_cell_sum a, pl_cell_sum b, int64_t times) {
  a.is_known &= b.is_known;
  for (size_t i = 0; i < b.n && a.is_known; i++) {
    pl_cell_term t = b.items[i];
    t.by = pl_iform_scale(t.by, times);
    t.number *= times;
    add_term(&a, t);
  }
  return a;
}

static pl_str product_of(const pl_cell_reading *r, pl_str a, pl_str b) {
  if (!a.n || !b.n)
    return a.n ? a : b;
  size_t n = a.n < b.n ? a.n : b.n;
  int order = memcmp(a.p, b.p, n);
  bool first = order < 0 || (order == 0 && a.n <= b.n);
  pl_str one = first ? a : b, other = first ? b : a;
  return pl_arena_printf(r->arena, "%.*s*%.*s", PL_FMT(one), PL_FMT(other));
}

static pl_cell_sum multiply(const pl_cell_reading *r, pl_cell_sum a, pl_cell_sum b) {
  pl_cell_sum made = {.is_known = a.is_known && b.is_known};
  for (size_t i = 0; i < a.n && made.is_known; i++)
    for (size_t k = 0; k < b.n && made.is_known; k++) {
      const pl_cell_term *x = &a.items[i], *y = &b.items[k];
      bool deep = x->symbol.n && y->symbol.n &&
                  (pl_str_has(x->symbol, "*") || pl_str_has(y->symbol, "*"));
      made.is_known &= (x->is_number || y->is_number) && !deep;
      add_term(&made,
               (pl_cell_term){product_of(r, x->symbol, y->symbol),
                              x->is_number
                                  ? pl_iform_scale(y->by, x->number)
                                  : pl_iform_scale(x->by, y->is_number ? y->number : 0),
                              x->is_number && y->is_number, x->number * y->number});
    }
  return made;
}

bool pl_sum_is_number(const pl_cell_sum *s, int64_t *number) {
  bool is = s->is_known && s->n == 1 && !s->items[0].symbol.n && s->items[0].is_number;
  *number = is ? s->items[0].number : 0;
  return is;
}

/* With a name of isl's for each symbol. NULL: a symbol has a form that is no number. */
static const pl_iform *linear(const pl_cell_reading *r, const pl_cell_sum *s) {
  const pl_iform *all = pl_iform_number(r->ints, 0);
  for (size_t i = 0; i < s->n && s->is_known; i++) {
    const pl_cell_term *t = &s->items[i];
    if (t->symbol.n && !t->is_number)
      return NULL;
    const char *name = pl_arena_printf(r->arena, "$%.*s", PL_FMT(t->symbol)).p;
    all = pl_iform_add(
        all,
        t->symbol.n ? pl_iform_scale(pl_iform_name(r->ints, name), t->number) : t->by);
  }
  return s->is_known ? all : NULL;
}

const pl_iform *pl_sum_plain(const pl_cell_reading *r, const pl_cell_sum *s) {
  for (size_t i = 0; i < s->n; i++)
    if (s->items[i].symbol.n)
      return NULL;
  return linear(r, s);
}

/* ---- values --------------------------------------------------------------------- */

static bool is_in_text(const pl_cell_reading *r, const pl_decl *decl) {
  return r->region.end && decl->name_range.end && decl->owner &&
         pl_range_inside(decl->name_range, r->region);
}

/* Whether a variable is one of an iteration's, or of the text's own. */
static bool is_inner(const pl_cell_reading *r, const pl_decl *decl) {
  return is_in_text(r, decl) ||
         (!r->region.end && decl->node && pl_node_within(decl->node, r->loop->node));
}

/* Whether a name is that of a variable that the source's iterations move on: of which
 * tile it is has been looked at. */
static bool is_moved_on(const pl_cell_reading *r, const pl_decl *decl) {
  for (size_t i = 0; i < r->loop->nvars; i++) {
    const pl_clocked *v = &r->loop->vars[i];
    if (v->writers && !v->is_temporary && !v->is_scratch &&
        pl_str_eq(v->decl->name, decl->name))
      return r->region.end || v->decl == decl;
  }
  return false;
}

/* A variable that holds what it began with. */
pl_node *pl_beginning_of(const pl_node *ref) {
  const pl_decl *decl = ref->decl;
  bool fixed = decl->init && decl->kind == PL_DECL_VAR && !decl->is_shared &&
               !decl->is_static && !pl_is_reference(decl->type) &&
               (decl->type->is_const || decl->is_constexpr ||
                pl_reaching_initialiser(ref) == decl->init);
  return fixed ? decl->init : NULL;
}

static pl_cell_sum of_variable(pl_cell_reading *r, pl_node *ref) {
  const pl_decl *decl = ref->decl;
  for (size_t i = 0; i < r->nbound; i++)
    if (r->bound[i].decl == decl)
      return r->bound[i].value;
  if (is_moved_on(r, decl))
    return symbol_sum(r, decl->name);
  pl_node *init = pl_beginning_of(ref);
  if (init && r->depth < MOST_DEPTH) {
    r->depth++;
    pl_cell_sum made = pl_sum_of(r, init);
    r->depth--;
    if (made.is_known)
      return made;
  }
  bool named = (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
               !decl->is_shared && !is_inner(r, decl);
  return named ? symbol_sum(r, decl->name) : unknown;
}

int pl_axis_of(const pl_node *member) {
  return pl_str_is(member->name, "x")   ? 0
         : pl_str_is(member->name, "y") ? 1
         : pl_str_is(member->name, "z") ? 2
                                        : -1;
}

/* `threadIdx.x`, `blockDim.x` */
static pl_cell_sum of_member(pl_cell_reading *r, const pl_node *node) {
  const pl_node *base = pl_node_bare(node->kids[0]);
  int axis = pl_axis_of(node);
  if (axis < 0 || base->kind != PL_NODE_REF)
    return unknown;
  if (pl_str_is(base->name, "threadIdx"))
    return pl_form_sum(pl_iform_name(r->ints, pl_cell_threads[axis]));
  if (pl_str_is(base->name, "blockDim") && r->block[axis])
    return pl_number_sum(r, r->block[axis]);
  if (!pl_str_is(base->name, "blockDim") && !pl_str_is(base->name, "blockIdx") &&
      !pl_str_is(base->name, "gridDim"))
    return unknown;
  return symbol_sum(r, pl_arena_printf(r->arena, "%.*s.%.*s", PL_FMT(base->name),
                                       PL_FMT(node->name)));
}

static pl_cell_sum divided(pl_cell_reading *r, const pl_node *node) {
  pl_cell_sum a = pl_sum_of(r, node->kids[0]), b = pl_sum_of(r, node->kids[1]);
  const pl_iform *form = a.is_known ? pl_sum_plain(r, &a) : NULL;
  int64_t by;
  if (!form || !pl_sum_is_number(&b, &by) || by <= 0 || by > 1 << 20)
    return unknown;
  switch (node->op) {
  case PL_OP_DIV: return pl_form_sum(pl_iform_div(form, by));
  case PL_OP_REM: return pl_form_sum(pl_iform_rem(form, by));
  case PL_OP_SHR:
    return by < 20 ? pl_form_sum(pl_iform_floor(form, (int64_t)1 << by)) : unknown;
  case PL_OP_AND:
    return (by & (by + 1)) == 0 ? pl_form_sum(pl_iform_mod(form, by + 1)) : unknown;
  default: return unknown;
  }
}

static pl_cell_sum of_binary(pl_cell_reading *r, const pl_node *node) {
  pl_cell_sum b;
  int64_t by;
  switch (node->op) {
  case PL_OP_ADD:
    return pl_sum_add(pl_sum_of(r, node->kids[0]), pl_sum_of(r, node->kids[1]), 1);
  case PL_OP_SUB:
    return pl_sum_add(pl_sum_of(r, node->kids[0]), pl_sum_of(r, node->kids[1]), -1);
  case PL_OP_MUL:
    return multiply(r, pl_sum_of(r, node->kids[0]), pl_sum_of(r, node->kids[1]));
  case PL_OP_SHL:
    b = pl_sum_of(r, node->kids[1]);
    return pl_sum_is_number(&b, &by) && by >= 0 && by < 20
               ? multiply(r, pl_sum_of(r, node->kids[0]),
                          pl_number_sum(r, (int64_t)1 << by))
               : unknown;
  default: return divided(r, node);
  }
}

bool pl_is_wide_integer(const pl_type *type) {
  return type && type->kind == PL_TYPE_INT && type->size >= 4;
}

pl_cell_sum pl_sum_of(pl_cell_reading *r, pl_node *node) {
  node = pl_node_bare(node);
  if (node->has_ival)
    return pl_number_sum(r, node->ival);
  switch (node->kind) {
  case PL_NODE_REF: return node->decl ? of_variable(r, node) : unknown;
  case PL_NODE_MEMBER: return of_member(r, node);
  case PL_NODE_BINARY: return of_binary(r, node);
  case PL_NODE_CAST:
    return pl_is_wide_integer(node->type) ? pl_sum_of(r, node->kids[0]) : unknown;
  case PL_NODE_UNARY:
    return node->op == PL_OP_PLUS    ? pl_sum_of(r, node->kids[0])
           : node->op == PL_OP_MINUS ? pl_sum_add(pl_number_sum(r, 0),
                                           pl_sum_of(r, node->kids[0]), -1)
                                     : unknown;
  default: return unknown;
  }
}

/* ---- conditions ------------------------------------------------------------------- */

/* NULL: not known. */
const pl_iset *pl_cell_condition(pl_cell_reading *r, pl_node *node) {
  node = pl_node_bare(node);
  const pl_iset *all = pl_iset_all(r->ints);
  if (node->has_ival)
    return node->ival ? all : pl_iset_minus(all, all);
  if (node->kind == PL_NODE_UNARY && node->op == PL_OP_LNOT)
    return pl_iset_minus(all, pl_cell_condition(r, node->kids[0]));
  if (node->kind == PL_NODE_REF && node->decl && pl_beginning_of(node))
    return pl_cell_condition(r, pl_beginning_of(node));
  if (node->kind != PL_NODE_BINARY)
    return NULL;
  if (node->op == PL_OP_LAND)
    return pl_iset_and(pl_cell_condition(r, node->kids[0]),
                       pl_cell_condition(r, node->kids[1]));
  if (node->op == PL_OP_LOR)
    return pl_iset_or(pl_cell_condition(r, node->kids[0]),
                      pl_cell_condition(r, node->kids[1]));
  if (node->op < PL_OP_LT || node->op > PL_OP_NE)
    return NULL;
  pl_cell_sum a = pl_sum_of(r, node->kids[0]), b = pl_sum_of(r, node->kids[1]);
  return pl_iset_compare(linear(r, &a), node->op, linear(r, &b));
}

/* ---- places ----------------------------------------------------------------------- */

static const pl_cell_place nowhere;
static size_t object_named(const pl_cell_reading *r, const pl_decl *decl) {
  size_t i = 1;
  bool may = decl->is_shared || is_in_text(r, decl);
  while (i < r->loop->nobjects &&
         !pl_str_eq(r->loop->objects[i].decl->name, decl->name))
    i++;
  return may && i < r->loop->nobjects ? i : 0;
}

static pl_cell_place moved(pl_cell_reading *r, pl_cell_place from, pl_node *index,
                           int64_t size, int64_t sign) {
  from.is_known &= size > 0;
  from.at = pl_sum_add(from.at,
                       multiply(r, pl_sum_of(r, index), pl_number_sum(r, size)), sign);
  from.is_known &= from.at.is_known;
  from.size = size;
  return from;
}

static int64_t element_size(const pl_type *type) {
  return type && type->element ? type->element->size : 0;
}

/* What a pointer leads to. */
pl_cell_place pl_place_led_to(pl_cell_reading *r, pl_node *node) {
  node = pl_node_bare(node);
  const pl_type *type = node->type;
  if (type && type->kind == PL_TYPE_ARRAY)
    return pl_cell_place_of(r, node);
  switch (node->kind) {
  case PL_NODE_UNARY:
    return node->op == PL_OP_ADDR ? pl_cell_place_of(r, node->kids[0]) : nowhere;
  case PL_NODE_CAST: {
    pl_cell_place made = pl_place_led_to(r, node->kids[0]);
    made.size = element_size(type);
    return made;
  }
  case PL_NODE_BINARY:
    if (node->op != PL_OP_ADD && node->op != PL_OP_SUB)
      return nowhere;
    return moved(r, pl_place_led_to(r, node->kids[0]), node->kids[1],
                 element_size(type), node->op == PL_OP_ADD ? 1 : -1);
  case PL_NODE_REF: {
    if (!node->decl || !type || type->kind != PL_TYPE_POINTER)
      return nowhere;
    if (is_moved_on(r, node->decl) || !is_inner(r, node->decl))
      return (pl_cell_place){true, 0, NULL, node->decl->name, pl_number_sum(r, 0),
                     element_size(type)};
    pl_node *init = pl_beginning_of(node);
    if (!init || r->depth == MOST_DEPTH)
      return nowhere;
    r->depth++;
    pl_cell_place made = pl_place_led_to(r, init);
    r->depth--;
    return made;
  }
  default:
    return nowhere;
  }
}

pl_cell_place pl_cell_place_of(pl_cell_reading *r, pl_node *node) {
  node = pl_node_bare(node);
  switch (node->kind) {
  case PL_NODE_SUBSCRIPT: {
    pl_node *base = pl_node_bare(node->kids[0]);
    return moved(r, pl_place_led_to(r, base), node->kids[1],
                 node->type ? node->type->size : 0, 1);
  }
  case PL_NODE_UNARY:
    if (node->op != PL_OP_DEREF)
      return nowhere;
    pl_cell_place made = pl_place_led_to(r, node->kids[0]);
    made.size = node->type ? node->type->size : 0;
    return made;
  case PL_NODE_REF: {
    const pl_decl *decl = node->decl;
    size_t object = decl ? object_named(r, decl) : 0;
    bool local = decl && !object && decl->kind == PL_DECL_VAR && !decl->is_static &&
                 !decl->is_shared && !pl_is_reference(decl->type) && is_inner(r, decl);
    return object || local ? (pl_cell_place){true,
                                             object,
                                             local ? decl : NULL,
                                             {0},
                                             pl_number_sum(r, 0),
                                             node->type ? node->type->size : 0}
                           : nowhere;
  }
  default:
    return nowhere;
  }
}
