/* events_cells.c - which cells does a load fill, and with what?
 *
 * Needs: both trees. Gives: of each object whether the parts that the text loads a tile
 * in copy the same bytes to the same cells as the source's load, or that this is not
 * known. Raises: nothing.
 *
 * A load is a relation: of the bytes of an object, and what each gets, a constant or a
 * byte of what some pointer leads to. The threads of the block and the iterations of
 * loops inside do not count. An index is a sum of products of names that the load does
 * not change, as `row * N`, with forms over threads and iterations; two are equal for
 * all values of the names where each product has an equal form. What is not of that
 * kind is not known; that numbers wrap around is not looked at. */
#include "events_state.h"
#include "reaching_definitions.h"

#include <stdlib.h>
#include <string.h>

#define OPERATIONS 400000ul
enum { MOST_TERMS = 6, MOST_DEPTH = 12, MOST_COUNTERS = 3 };

typedef struct term {
  pl_str symbol; /* a name, or two: `K`, `K*lda`; empty: none */
  const pl_iform *by;
  bool is_number;
  int64_t number;
} term;

typedef struct sum {
  bool is_known;
  term items[MOST_TERMS];
  size_t n;
} sum;

/* A place in memory: in an object, in a variable of the thread's own, or behind a
 * pointer of that name. */
typedef struct place {
  bool is_known;
  size_t object; /* of the source; 0: none */
  const pl_decl *local;
  pl_str root;
  sum at;        /* bytes */
  int64_t size;  /* of what lies there */
} place;

typedef struct fill {
  size_t object;
  const pl_decl *local;
  pl_str from; /* `=0.0f`, or a pointer's name */
  sum to, at;
  int64_t width;
  const pl_iset *within;
} fill;

typedef struct variable {
  const pl_decl *decl;
  sum value;
} variable;

typedef struct reading {
  const pl_source_loop *loop;
  pl_arena *arena;
  pl_integers *ints;
  const pl_unit *unit;
  pl_range region; /* of the text; empty: this is the source */
  const pl_iset *path;
  variable *bound;
  size_t nbound, bound_cap;
  fill *fills;
  size_t nfills, fills_cap;
  pl_str *symbols;
  size_t nsymbols, symbols_cap;
  int counters, depth, loops;
  int64_t block[3]; /* threads, if a choice has asked for them; 0: not known */
  bool is_choice;   /* of ways to load: else fills have to be the same one by one */
  bool is_lost;
} reading;

static const char *const threads[] = {"threadIdx.x", "threadIdx.y", "threadIdx.z"};

/* ---- sums ---------------------------------------------------------------------- */

static const sum unknown;

static sum form_sum(const pl_iform *form) {
  return (sum){form != NULL, {{.by = form}}, 1};
}

static sum number_sum(const reading *r, int64_t number) {
  return (sum){true,
               {{.by = pl_iform_number(r->ints, number), .is_number = true,
                 .number = number}},
               1};
}

static sum symbol_sum(reading *r, pl_str name) {
  size_t i = 0;
  while (i < r->nsymbols && !pl_str_eq(r->symbols[i], name))
    i++;
  if (i == r->nsymbols)
    PL_PUSH(r->arena, r->symbols, r->nsymbols, r->symbols_cap, name);
  sum made = number_sum(r, 1);
  made.items[0].symbol = name;
  return made;
}

static void add_term(sum *to, term t) {
  for (size_t i = 0; i < to->n; i++) {
    term *own = &to->items[i];
    if (!pl_str_eq(own->symbol, t.symbol))
      continue;
    own->by = pl_iform_add(own->by, t.by);
    own->is_number &= t.is_number;
    own->number += t.number;
    return;
  }
  to->is_known &= to->n < MOST_TERMS;
  if (to->is_known)
    to->items[to->n++] = t;
}

static sum add(sum a, sum b, int64_t times) {
  a.is_known &= b.is_known;
  for (size_t i = 0; i < b.n && a.is_known; i++) {
    term t = b.items[i];
    t.by = pl_iform_scale(t.by, times);
    t.number *= times;
    add_term(&a, t);
  }
  return a;
}

static pl_str product_of(const reading *r, pl_str a, pl_str b) {
  if (!a.n || !b.n)
    return a.n ? a : b;
  size_t n = a.n < b.n ? a.n : b.n;
  int order = memcmp(a.p, b.p, n);
  bool first = order < 0 || (order == 0 && a.n <= b.n);
  pl_str one = first ? a : b, other = first ? b : a;
  return pl_arena_printf(r->arena, "%.*s*%.*s", PL_FMT(one), PL_FMT(other));
}

static sum multiply(const reading *r, sum a, sum b) {
  sum made = {.is_known = a.is_known && b.is_known};
  for (size_t i = 0; i < a.n && made.is_known; i++)
    for (size_t k = 0; k < b.n && made.is_known; k++) {
      const term *x = &a.items[i], *y = &b.items[k];
      bool deep = x->symbol.n && y->symbol.n &&
                  (pl_str_has(x->symbol, "*") || pl_str_has(y->symbol, "*"));
      made.is_known &= (x->is_number || y->is_number) && !deep;
      add_term(&made,
               (term){product_of(r, x->symbol, y->symbol),
                      x->is_number ? pl_iform_scale(y->by, x->number)
                                   : pl_iform_scale(x->by, y->is_number ? y->number : 0),
                      x->is_number && y->is_number, x->number * y->number});
    }
  return made;
}

static bool is_number(const sum *s, int64_t *number) {
  bool is = s->is_known && s->n == 1 && !s->items[0].symbol.n && s->items[0].is_number;
  *number = is ? s->items[0].number : 0;
  return is;
}

/* With a name of isl's for each symbol. NULL: a symbol has a form that is no number. */
static const pl_iform *linear(const reading *r, const sum *s) {
  const pl_iform *all = pl_iform_number(r->ints, 0);
  for (size_t i = 0; i < s->n && s->is_known; i++) {
    const term *t = &s->items[i];
    if (t->symbol.n && !t->is_number)
      return NULL;
    const char *name = pl_arena_printf(r->arena, "$%.*s", PL_FMT(t->symbol)).p;
    all = pl_iform_add(all, t->symbol.n
                                ? pl_iform_scale(pl_iform_name(r->ints, name), t->number)
                                : t->by);
  }
  return s->is_known ? all : NULL;
}

static const pl_iform *without_symbols(const reading *r, const sum *s) {
  for (size_t i = 0; i < s->n; i++)
    if (s->items[i].symbol.n)
      return NULL;
  return linear(r, s);
}

/* ---- values --------------------------------------------------------------------- */

static sum value_of(reading *r, pl_node *node);

static bool is_in_text(const reading *r, const pl_decl *decl) {
  return r->region.end && decl->name_range.end && decl->owner &&
         pl_range_inside(decl->name_range, r->region);
}

/* Whether a variable is one of an iteration's, or of the text's own. */
static bool is_inner(const reading *r, const pl_decl *decl) {
  return is_in_text(r, decl) ||
         (!r->region.end && decl->node && pl_node_within(decl->node, r->loop->node));
}

/* Whether a name is that of a variable that the source's iterations move on: of which
 * tile it is has been looked at. */
static bool is_moved_on(const reading *r, const pl_decl *decl) {
  for (size_t i = 0; i < r->loop->nvars; i++) {
    const pl_clocked *v = &r->loop->vars[i];
    if (v->writers && !v->is_temporary && !v->is_scratch &&
        pl_str_eq(v->decl->name, decl->name))
      return r->region.end || v->decl == decl;
  }
  return false;
}

/* A variable that holds what it began with. */
static pl_node *beginning_of(const pl_node *ref) {
  const pl_decl *decl = ref->decl;
  bool fixed = decl->init && decl->kind == PL_DECL_VAR && !decl->is_shared &&
               !decl->is_static && !pl_is_reference(decl->type) &&
               (decl->type->is_const || decl->is_constexpr ||
                pl_reaching_initialiser(ref) == decl->init);
  return fixed ? decl->init : NULL;
}

static sum of_variable(reading *r, pl_node *ref) {
  const pl_decl *decl = ref->decl;
  for (size_t i = 0; i < r->nbound; i++)
    if (r->bound[i].decl == decl)
      return r->bound[i].value;
  if (is_moved_on(r, decl))
    return symbol_sum(r, decl->name);
  pl_node *init = beginning_of(ref);
  if (init && r->depth < MOST_DEPTH) {
    r->depth++;
    sum made = value_of(r, init);
    r->depth--;
    if (made.is_known)
      return made;
  }
  bool named = (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
               !decl->is_shared && !is_inner(r, decl);
  return named ? symbol_sum(r, decl->name) : unknown;
}

static int axis_of(const pl_node *member) {
  return pl_str_is(member->name, "x")   ? 0
         : pl_str_is(member->name, "y") ? 1
         : pl_str_is(member->name, "z") ? 2
                                        : -1;
}

/* `threadIdx.x`, `blockDim.x` */
static sum of_member(reading *r, const pl_node *node) {
  const pl_node *base = pl_node_bare(node->kids[0]);
  int axis = axis_of(node);
  if (axis < 0 || base->kind != PL_NODE_REF)
    return unknown;
  if (pl_str_is(base->name, "threadIdx"))
    return form_sum(pl_iform_name(r->ints, threads[axis]));
  if (pl_str_is(base->name, "blockDim") && r->block[axis])
    return number_sum(r, r->block[axis]);
  if (!pl_str_is(base->name, "blockDim") && !pl_str_is(base->name, "blockIdx") &&
      !pl_str_is(base->name, "gridDim"))
    return unknown;
  return symbol_sum(r, pl_arena_printf(r->arena, "%.*s.%.*s", PL_FMT(base->name),
                                       PL_FMT(node->name)));
}

static sum divided(reading *r, const pl_node *node) {
  sum a = value_of(r, node->kids[0]), b = value_of(r, node->kids[1]);
  const pl_iform *form = a.is_known ? without_symbols(r, &a) : NULL;
  int64_t by;
  if (!form || !is_number(&b, &by) || by <= 0 || by > 1 << 20)
    return unknown;
  switch (node->op) {
  case PL_OP_DIV: return form_sum(pl_iform_div(form, by));
  case PL_OP_REM: return form_sum(pl_iform_rem(form, by));
  case PL_OP_SHR:
    return by < 20 ? form_sum(pl_iform_floor(form, (int64_t)1 << by)) : unknown;
  case PL_OP_AND:
    return (by & (by + 1)) == 0 ? form_sum(pl_iform_mod(form, by + 1)) : unknown;
  default: return unknown;
  }
}

static sum of_binary(reading *r, const pl_node *node) {
  sum b;
  int64_t by;
  switch (node->op) {
  case PL_OP_ADD:
    return add(value_of(r, node->kids[0]), value_of(r, node->kids[1]), 1);
  case PL_OP_SUB:
    return add(value_of(r, node->kids[0]), value_of(r, node->kids[1]), -1);
  case PL_OP_MUL:
    return multiply(r, value_of(r, node->kids[0]), value_of(r, node->kids[1]));
  case PL_OP_SHL:
    b = value_of(r, node->kids[1]);
    return is_number(&b, &by) && by >= 0 && by < 20
               ? multiply(r, value_of(r, node->kids[0]),
                          number_sum(r, (int64_t)1 << by))
               : unknown;
  default: return divided(r, node);
  }
}

static bool is_wide_integer(const pl_type *type) {
  return type && type->kind == PL_TYPE_INT && type->size >= 4;
}

static sum value_of(reading *r, pl_node *node) {
  node = pl_node_bare(node);
  if (node->has_ival)
    return number_sum(r, node->ival);
  switch (node->kind) {
  case PL_NODE_REF: return node->decl ? of_variable(r, node) : unknown;
  case PL_NODE_MEMBER: return of_member(r, node);
  case PL_NODE_BINARY: return of_binary(r, node);
  case PL_NODE_CAST:
    return is_wide_integer(node->type) ? value_of(r, node->kids[0]) : unknown;
  case PL_NODE_UNARY:
    return node->op == PL_OP_PLUS    ? value_of(r, node->kids[0])
           : node->op == PL_OP_MINUS ? add(number_sum(r, 0),
                                           value_of(r, node->kids[0]), -1)
                                     : unknown;
  default: return unknown;
  }
}

/* ---- conditions ------------------------------------------------------------------- */

/* NULL: not known. */
static const pl_iset *set_of(reading *r, pl_node *node) {
  node = pl_node_bare(node);
  const pl_iset *all = pl_iset_all(r->ints);
  if (node->has_ival)
    return node->ival ? all : pl_iset_minus(all, all);
  if (node->kind == PL_NODE_UNARY && node->op == PL_OP_LNOT)
    return pl_iset_minus(all, set_of(r, node->kids[0]));
  if (node->kind == PL_NODE_REF && node->decl && beginning_of(node))
    return set_of(r, beginning_of(node));
  if (node->kind != PL_NODE_BINARY)
    return NULL;
  if (node->op == PL_OP_LAND)
    return pl_iset_and(set_of(r, node->kids[0]), set_of(r, node->kids[1]));
  if (node->op == PL_OP_LOR)
    return pl_iset_or(set_of(r, node->kids[0]), set_of(r, node->kids[1]));
  if (node->op < PL_OP_LT || node->op > PL_OP_NE)
    return NULL;
  sum a = value_of(r, node->kids[0]), b = value_of(r, node->kids[1]);
  return pl_iset_compare(linear(r, &a), node->op, linear(r, &b));
}

/* ---- places ----------------------------------------------------------------------- */

static const place nowhere;
static place place_of(reading *r, pl_node *node);

static size_t object_named(const reading *r, const pl_decl *decl) {
  size_t i = 1;
  bool may = decl->is_shared || is_in_text(r, decl);
  while (i < r->loop->nobjects && !pl_str_eq(r->loop->objects[i].decl->name, decl->name))
    i++;
  return may && i < r->loop->nobjects ? i : 0;
}

static place moved(reading *r, place from, pl_node *index, int64_t size, int64_t sign) {
  from.is_known &= size > 0;
  from.at = add(from.at, multiply(r, value_of(r, index), number_sum(r, size)), sign);
  from.is_known &= from.at.is_known;
  from.size = size;
  return from;
}

static int64_t element_size(const pl_type *type) {
  return type && type->element ? type->element->size : 0;
}

/* What a pointer leads to. */
static place led_to(reading *r, pl_node *node) {
  node = pl_node_bare(node);
  const pl_type *type = node->type;
  if (type && type->kind == PL_TYPE_ARRAY)
    return place_of(r, node);
  switch (node->kind) {
  case PL_NODE_UNARY:
    return node->op == PL_OP_ADDR ? place_of(r, node->kids[0]) : nowhere;
  case PL_NODE_CAST: {
    place made = led_to(r, node->kids[0]);
    made.size = element_size(type);
    return made;
  }
  case PL_NODE_BINARY:
    if (node->op != PL_OP_ADD && node->op != PL_OP_SUB)
      return nowhere;
    return moved(r, led_to(r, node->kids[0]), node->kids[1], element_size(type),
                 node->op == PL_OP_ADD ? 1 : -1);
  case PL_NODE_REF: {
    if (!node->decl || !type || type->kind != PL_TYPE_POINTER)
      return nowhere;
    if (is_moved_on(r, node->decl) || !is_inner(r, node->decl))
      return (place){true, 0, NULL, node->decl->name, number_sum(r, 0),
                     element_size(type)};
    pl_node *init = beginning_of(node);
    if (!init || r->depth == MOST_DEPTH)
      return nowhere;
    r->depth++;
    place made = led_to(r, init);
    r->depth--;
    return made;
  }
  default:
    return nowhere;
  }
}

static place place_of(reading *r, pl_node *node) {
  node = pl_node_bare(node);
  switch (node->kind) {
  case PL_NODE_SUBSCRIPT: {
    pl_node *base = pl_node_bare(node->kids[0]);
    return moved(r, led_to(r, base), node->kids[1], node->type ? node->type->size : 0,
                 1);
  }
  case PL_NODE_UNARY:
    if (node->op != PL_OP_DEREF)
      return nowhere;
    place made = led_to(r, node->kids[0]);
    made.size = node->type ? node->type->size : 0;
    return made;
  case PL_NODE_REF: {
    const pl_decl *decl = node->decl;
    size_t object = decl ? object_named(r, decl) : 0;
    bool local = decl && !object && decl->kind == PL_DECL_VAR && !decl->is_static &&
                 !decl->is_shared && !pl_is_reference(decl->type) && is_inner(r, decl);
    return object || local ? (place){true, object, local ? decl : NULL, {0},
                                     number_sum(r, 0), node->type ? node->type->size : 0}
                           : nowhere;
  }
  default:
    return nowhere;
  }
}

/* ---- statements -------------------------------------------------------------------- */

static void run(reading *r, pl_node *node);

static void lose(reading *r) { r->is_lost = true; }

static void under(reading *r, const pl_iset *where, pl_node *node,
                  void (*what)(reading *, pl_node *)) {
  const pl_iset *path = r->path;
  r->path = pl_iset_and(path, where);
  if (!r->path)
    lose(r);
  else
    what(r, node);
  r->path = path;
}

static void add_fill(reading *r, const place *to, pl_str from, sum at, int64_t width) {
  if (!to->is_known || (!to->object && !to->local) || width <= 0 || !at.is_known)
    lose(r);
  else
    PL_PUSH(r->arena, r->fills, r->nfills, r->fills_cap,
            ((fill){to->object, to->local, from, to->at, at, width, r->path}));
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
static bool is_zeros(const reading *r, const pl_node *node) {
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
static void store_local(reading *r, const place *to, const place *from) {
  const pl_iset *path = r->path;
  size_t before = r->nfills;
  bool found = false;
  for (size_t i = 0; i < before; i++) {
    const fill f = r->fills[i];
    const pl_iform *own = without_symbols(r, &f.to), *due = without_symbols(r, &from->at);
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
static void store(reading *r, const place *to, const pl_type *type, pl_node *value) {
  value = pl_node_bare(value);
  if (value->kind == PL_NODE_COND) {
    const pl_iset *path = r->path, *yes = set_of(r, value->kids[0]);
    for (int way = 0; way < 2 && yes; way++) {
      r->path = way ? pl_iset_minus(path, yes) : pl_iset_and(path, yes);
      store(r, to, type, value->kids[1 + way]);
    }
    r->path = path;
    if (!yes)
      lose(r);
    return;
  }
  if (value->kind == PL_NODE_REF && value->decl && beginning_of(value) &&
      is_constant(beginning_of(value)))
    value = pl_node_bare(beginning_of(value));
  if (is_constant(value)) {
    pl_str text = is_zeros(r, value) ? PL_STR("0") : pl_unit_slice(r->unit, value->range);
    add_fill(r, to, pl_arena_printf(r->arena, "=%.*s", PL_FMT(text)), number_sum(r, 0),
             to->size);
    return;
  }
  place from = place_of(r, value);
  if (!from.is_known || from.object || !value->type || !type ||
      !pl_same_type(value->type, type))
    lose(r);
  else if (from.local)
    store_local(r, to, &from);
  else
    add_fill(r, to, from.root, from.at, to->size);
}

static void assign(reading *r, pl_node *node) {
  pl_node *left = pl_node_bare(node->kids[0]);
  place to = place_of(r, left);
  if (node->op != PL_OP_ASSIGN || (!to.object && !to.local))
    lose(r);
  else
    store(r, &to, left->type, node->kids[1]);
}

/* Some bytes, and behind them zeros: how many those are may hang on a condition. */
static void copy_some(reading *r, const place *to, const place *from, int64_t width,
                      pl_node *zeros) {
  zeros = pl_node_bare(zeros);
  int64_t none = 0;
  if (zeros->kind == PL_NODE_COND) {
    const pl_iset *path = r->path, *yes = set_of(r, zeros->kids[0]);
    for (int way = 0; way < 2 && yes; way++) {
      r->path = way ? pl_iset_minus(path, yes) : pl_iset_and(path, yes);
      copy_some(r, to, from, width, zeros->kids[1 + way]);
    }
    r->path = path;
    if (!yes)
      lose(r);
    return;
  }
  sum number = value_of(r, zeros);
  if (!is_number(&number, &none) || (none != 0 && none != width))
    lose(r);
  else if (none)
    add_fill(r, to, PL_STR("=0"), number_sum(r, 0), width);
  else
    add_fill(r, to, from->root, from->at, width);
}

/* `__pipeline_memcpy_async(to, from, bytes, zeros)` */
static void copy(reading *r, pl_node *node) {
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
  while (!size->has_ival && (size->kind == PL_NODE_CONSTRUCT || size->kind == PL_NODE_CAST) &&
         size->nkids == 1)
    size = pl_node_bare(size->kids[0]);
  sum bytes = value_of(r, size);
  place to = led_to(r, node->kids[1]), from = led_to(r, node->kids[2]);
  if (!is_number(&bytes, &width) || !from.is_known || from.object || from.local)
    lose(r);
  else if (primitive && node->nkids == 5)
    copy_some(r, &to, &from, width, node->kids[4]);
  else
    add_fill(r, &to, from.root, from.at, width);
}

static void bind(reading *r, const pl_decl *decl, sum value) {
  for (size_t i = 0; i < r->nbound; i++)
    if (r->bound[i].decl == decl) {
      r->bound[i].value = value;
      return;
    }
  PL_PUSH(r->arena, r->bound, r->nbound, r->bound_cap, ((variable){decl, value}));
}

/* A number, or what it is given: of that which cannot be said nothing can be stored. */
static void declare_one(reading *r, const pl_node *var) {
  if (!var || var->kind != PL_NODE_VAR || !var->decl || !var->nkids || !var->kids[0])
    return;
  sum value = is_wide_integer(var->decl->type) ? value_of(r, var->kids[0]) : unknown;
  size_t before = r->nfills;
  bool lost = r->is_lost;
  if (value.is_known) {
    bind(r, var->decl, value);
    return;
  }
  const place to = {true, 0, var->decl, {0}, number_sum(r, 0), var->decl->type->size};
  store(r, &to, var->decl->type, var->kids[0]);
  if (r->is_lost && !lost) {
    r->is_lost = false;
    r->nfills = before;
  }
}

static void declare(reading *r, const pl_node *node) {
  for (uint32_t i = 0; i < node->nkids; i++)
    declare_one(r, node->kids[i]);
}

static void branch(reading *r, const pl_node *node) {
  const pl_iset *yes = set_of(r, node->kids[0]);
  if (!yes) {
    lose(r);
    return;
  }
  if (node->kids[1])
    under(r, yes, node->kids[1], run);
  if (node->kids[2])
    under(r, pl_iset_minus(pl_iset_all(r->ints), yes), node->kids[2], run);
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
static sum step_of(reading *r, const pl_node *step, const pl_decl *decl) {
  const pl_node *target = step && step->nkids ? pl_node_bare(step->kids[0]) : NULL;
  if (!target || target->kind != PL_NODE_REF || target->decl != decl)
    return unknown;
  if (step->kind == PL_NODE_UNARY &&
      (step->op == PL_OP_PREINC || step->op == PL_OP_POSTINC))
    return number_sum(r, 1);
  return step->kind == PL_NODE_ASSIGN && step->op == PL_OP_ADD
             ? value_of(r, step->kids[1]) : unknown;
}

/* `for (int e = tid; e < 512; e += 64)`: of any iteration. */
static void loop(reading *r, pl_node *node) {
  const pl_node *init = node->kids[0];
  const pl_node *var = init && init->kind == PL_NODE_DECL_STMT && init->nkids == 1
                           ? init->kids[0] : NULL;
  const pl_decl *decl = var && var->nkids && var->kids[0] ? var->decl : NULL;
  int64_t by = 0;
  sum step = decl ? step_of(r, node->kids[2], decl) : unknown;
  if (!decl || !node->kids[1] || !is_bound(node->kids[1]) || !is_number(&step, &by) ||
      by <= 0 || !is_wide_integer(decl->type)) {
    lose(r);
    return;
  }
  const pl_iform *turn =
      pl_iform_name(r->ints, pl_arena_printf(r->arena, "n%d", r->counters++).p);
  bind(r, decl, add(value_of(r, var->kids[0]), form_sum(pl_iform_scale(turn, by)), 1));
  const pl_iset *goes_on = pl_iset_and(
      pl_iset_compare(turn, PL_OP_GE, pl_iform_number(r->ints, 0)),
      set_of(r, node->kids[1]));
  r->loops++;
  if (goes_on)
    under(r, goes_on, node->kids[3], run);
  else
    lose(r);
  r->loops--;
}

static void run(reading *r, pl_node *node) {
  if (r->is_lost || !node)
    return;
  switch (node->kind) {
  case PL_NODE_COMPOUND:
    for (uint32_t i = 0; i < node->nkids; i++)
      run(r, node->kids[i]);
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

/* ---- relations ---------------------------------------------------------------------- */

static bool has_term(const sum *s, pl_str symbol, const pl_iform **by) {
  for (size_t i = 0; i < s->n; i++)
    if (pl_str_eq(s->items[i].symbol, symbol)) {
      *by = s->items[i].by;
      return true;
    }
  return false;
}

typedef struct symbols {
  pl_str *items;
  size_t n, cap;
} symbols;

static void add_symbols(pl_arena *arena, symbols *all, const sum *s) {
  for (size_t i = 0; i < s->n; i++) {
    size_t k = 0;
    while (k < all->n && !pl_str_eq(all->items[k], s->items[i].symbol))
      k++;
    if (k == all->n)
      PL_PUSH(arena, all->items, all->n, all->cap, s->items[i].symbol);
  }
}

/* Over c, a byte of the object, and one number for each symbol of what it gets. */
static const pl_iset *relation_of(const reading *r, const fill *f, const symbols *all) {
  const pl_iform *zero = pl_iform_number(r->ints, 0);
  const pl_iform *byte = pl_iform_name(r->ints, "j");
  const pl_iform *cell = without_symbols(r, &f->to);
  bool constant = f->from.n && f->from.p[0] == '=';
  const pl_iset *set = pl_iset_and(
      pl_iset_compare(byte, PL_OP_GE, zero),
      pl_iset_compare(byte, PL_OP_LT, pl_iform_number(r->ints, f->width)));
  set = pl_iset_and(pl_iset_and(set, f->within),
                    pl_iset_compare(pl_iform_name(r->ints, "c"), PL_OP_EQ,
                                    pl_iform_add(cell, byte)));
  for (size_t i = 0; i < all->n; i++) {
    const pl_iform *by = zero;
    const char *name = pl_arena_printf(r->arena, "s%zu", i).p;
    has_term(&f->at, all->items[i], &by);
    if (!all->items[i].n && !constant)
      by = pl_iform_add(by, byte);
    set = pl_iset_and(set, pl_iset_compare(pl_iform_name(r->ints, name), PL_OP_EQ, by));
  }
  for (int i = 0; i < 3; i++) {
    const pl_iform *index = pl_iform_name(r->ints, threads[i]);
    const char *size = pl_arena_printf(r->arena, "$blockDim.%c", "xyz"[i]).p;
    const pl_iform *end = r->block[i] ? pl_iform_number(r->ints, r->block[i])
                                      : pl_iform_name(r->ints, size);
    set = pl_iset_and(set, pl_iset_and(pl_iset_compare(index, PL_OP_GE, zero),
                                       pl_iset_compare(index, PL_OP_LT, end)));
  }
  const char **gone = PL_NEW_ARRAY(r->arena, const char *, r->counters + 4);
  size_t n = 0;
  gone[n++] = "j";
  for (int i = 0; i < 3; i++)
    gone[n++] = threads[i];
  for (int i = 0; i < r->counters; i++)
    gone[n++] = pl_arena_printf(r->arena, "n%d", i).p;
  return pl_iset_project(set, gone, n);
}

static const pl_iset *all_of(const reading *r, size_t object, pl_str from,
                             const symbols *all) {
  const pl_iset *every = pl_iset_all(r->ints), *made = pl_iset_minus(every, every);
  for (size_t i = 0; i < r->nfills; i++)
    if (r->fills[i].object == object && pl_str_eq(r->fills[i].from, from))
      made = pl_iset_or(made, relation_of(r, &r->fills[i], all));
  return made;
}

static size_t add_names(const reading *r, const char **names, size_t n) {
  for (size_t i = 0; i < r->nsymbols; i++)
    if (!pl_str_starts(r->symbols[i], "blockDim."))
      names[n++] = pl_arena_printf(r->arena, "$%.*s", PL_FMT(r->symbols[i])).p;
  return n;
}

/* Where all names are multiples of 16, as those of joined copies are that have to be some
 * number's, whether that is asked for or known. */
static const pl_iset *of_multiples(const reading *r) {
  const pl_iset *all = pl_iset_all(r->ints);
  for (size_t i = 0; i < r->nsymbols; i++) {
    const char *name = pl_arena_printf(r->arena, "$%.*s", PL_FMT(r->symbols[i])).p;
    if (!pl_str_starts(r->symbols[i], "blockDim."))
      all = pl_iset_and(all, pl_iset_compare(
                                 pl_iform_mod(pl_iform_name(r->ints, name), 16),
                                 PL_OP_EQ, pl_iform_number(r->ints, 0)));
  }
  return all;
}

/* Whether for each number of threads of a block something is in a set: launches, which
 * are not looked at, may leave some out. */
static bool is_for_any_block(const reading *a, const reading *b, const pl_iset *set,
                             const symbols *all) {
  const char **names = PL_NEW_ARRAY(a->arena, const char *,
                                    a->nsymbols + b->nsymbols + all->n + 1);
  size_t n = add_names(b, names, add_names(a, names, 0));
  for (size_t i = 0; i < all->n; i++)
    names[n++] = pl_arena_printf(a->arena, "s%zu", i).p;
  names[n++] = "c";
  const pl_iset *any = pl_iset_all(a->ints);
  for (int i = 0; i < 3; i++)
    any = pl_iset_and(any, pl_iset_compare(
                               pl_iform_name(a->ints, pl_arena_printf(
                                   a->arena, "$blockDim.%c", "xyz"[i]).p),
                               PL_OP_GE, pl_iform_number(a->ints, 1)));
  set = pl_iset_and(set, pl_iset_and(of_multiples(a), of_multiples(b)));
  return pl_iset_is_subset(any, pl_iset_project(set, names, n)) == PL_YES;
}

/* ---- fills that are one ---------------------------------------------------------- */

static bool same_sum(const sum *a, const sum *b, const pl_iset *within) {
  if (a->n != b->n)
    return false;
  for (size_t i = 0; i < a->n; i++) {
    const pl_iform *other = NULL;
    if (!has_term(b, a->items[i].symbol, &other) ||
        pl_iset_is_empty(pl_iset_and(
            within, pl_iset_compare(a->items[i].by, PL_OP_NE, other))) != PL_YES)
      return false;
  }
  return true;
}

/* By the same thread, in the same iteration. */
static bool same_fill(const fill *a, const fill *b) {
  return a->object == b->object && a->local == b->local && a->width == b->width &&
         pl_str_eq(a->from, b->from) &&
         (a->within == b->within || (pl_iset_is_subset(a->within, b->within) == PL_YES &&
                                     pl_iset_is_subset(b->within, a->within) == PL_YES)) &&
         same_sum(&a->to, &b->to, a->within) && same_sum(&a->at, &b->at, a->within);
}

static bool has_each(const reading *a, const reading *b, size_t object, pl_str from) {
  for (size_t i = 0; i < b->nfills; i++) {
    const fill *f = &b->fills[i];
    bool found = f->object != object || !pl_str_eq(f->from, from);
    for (size_t k = 0; k < a->nfills && !found; k++)
      found = same_fill(&a->fills[k], f);
    if (!found)
      return false;
  }
  return true;
}

/* Whether both fill an object alike, from one pointer or with one constant. */
static pl_answer same_from(const reading *a, const reading *b, size_t object,
                           pl_str from) {
  symbols all = {0};
  const reading *both[] = {a, b};
  if (has_each(a, b, object, from) && has_each(b, a, object, from))
    return PL_YES;
  if (!b->is_choice || a->counters > MOST_COUNTERS || b->counters > MOST_COUNTERS)
    return PL_UNKNOWN;
  for (int i = 0; i < 2; i++)
    for (size_t k = 0; k < both[i]->nfills; k++)
      if (both[i]->fills[k].object == object && pl_str_eq(both[i]->fills[k].from, from))
        add_symbols(a->arena, &all, &both[i]->fills[k].at);
  const pl_iset *one = all_of(a, object, from, &all);
  const pl_iset *other = all_of(b, object, from, &all);
  const pl_iset *missing = pl_iset_minus(one, other), *more = pl_iset_minus(other, one);
  if (pl_iset_is_empty(missing) == PL_YES && pl_iset_is_empty(more) == PL_YES)
    return PL_YES;
  return is_for_any_block(a, b, pl_iset_or(missing, more), &all) ? PL_NO : PL_UNKNOWN;
}

static pl_answer same_fills(const reading *a, const reading *b, size_t object) {
  const reading *both[] = {a, b};
  pl_answer found = PL_UNKNOWN;
  for (int i = 0; i < 2; i++)
    for (size_t k = 0; k < both[i]->nfills; k++) {
      if (both[i]->fills[k].object != object)
        continue;
      pl_answer one = same_from(a, b, object, both[i]->fills[k].from);
      if (one != PL_YES)
        return one;
      found = PL_YES;
    }
  return found;
}

/* ---- both loads ---------------------------------------------------------------------- */

static reading reading_for(const pl_emitted *out, pl_integers *ints, bool of_text,
                           const int64_t *block) {
  reading made = {.loop = out->source, .arena = out->source->arena,
                  .ints = ints,
                  .unit = of_text ? out->unit : out->source->unit,
                  .path = pl_iset_all(ints)};
  if (of_text)
    made.region = out->region;
  for (int i = 0; i < 3; i++)
    made.block[i] = block[i];
  return made;
}

/* What does not fill the object may give variables something that is not known. */
static void run_for(reading *r, pl_node *node, bool fills) {
  size_t before = r->nfills;
  bool lost = r->is_lost;
  r->is_lost = false;
  run(r, node);
  if (r->is_lost && !fills)
    r->nfills = before;
  r->is_lost = lost || (fills && r->is_lost);
}

static void read_source(reading *r, size_t object) {
  const pl_source_loop *l = r->loop;
  for (size_t i = 0; i < l->nitems; i++) {
    bool fills = pl_item_touches(&l->items[i], object, true);
    if (l->items[i].node->kind == PL_NODE_DECL_STMT || fills)
      run_for(r, l->items[i].node, fills);
  }
}

/* `blockDim.x == 64` of `const bool joined = ... && ...`. */
static void take_sizes(pl_node *node, int64_t *block) {
  node = pl_node_bare(node);
  if (node->kind != PL_NODE_BINARY)
    return;
  if (node->op == PL_OP_LAND) {
    take_sizes(node->kids[0], block);
    take_sizes(node->kids[1], block);
    return;
  }
  const pl_node *member = pl_node_bare(node->kids[0]);
  const pl_node *base = member->kind == PL_NODE_MEMBER ? pl_node_bare(member->kids[0])
                                                       : NULL;
  if (node->op == PL_OP_EQ && base && base->kind == PL_NODE_REF &&
      pl_str_is(base->name, "blockDim") && axis_of(member) >= 0 &&
      node->kids[1]->has_ival && node->kids[1]->ival > 0)
    block[axis_of(member)] = node->kids[1]->ival;
}

/* Whether the parts of one section that fill an object, of one way of a choice and of
 * none, fill it as the source does. */
static pl_answer fills_alike(const pl_emitted *out, pl_integers *ints, size_t object,
                             int section, int arm) {
  int64_t block[3] = {0};
  for (size_t i = 0; i < out->nparts; i++)
    if (out->parts[i].arm == arm && out->parts[i].choice)
      take_sizes(out->parts[i].choice, block);
  reading text = reading_for(out, ints, true, block),
          source = reading_for(out, ints, false, block);
  text.is_choice = arm > 0;
  for (size_t i = 0; i < out->nparts; i++) {
    const pl_part_site *p = &out->parts[i];
    if (p->section == section && (p->arm == arm || p->arm == 0) &&
        (p->object == object || p->object == 0))
      run_for(&text, (pl_node *)p->node, p->object == object);
  }
  read_source(&source, object);
  if (text.is_lost || source.is_lost)
    return PL_UNKNOWN;
  return same_fills(&source, &text, object);
}

static const pl_node *part_of(const pl_emitted *out, size_t object, int section,
                              int arm) {
  for (size_t i = 0; i < out->nparts; i++)
    if (out->parts[i].object == object && out->parts[i].section == section &&
        out->parts[i].arm == arm)
      return out->parts[i].node;
  return NULL;
}

/* Whether all parts of one section that fill an object are some of an earlier one. */
static bool was_read(const pl_emitted *out, size_t object, int section) {
  for (size_t i = 0; i < out->nparts; i++) {
    const pl_part_site *p = &out->parts[i];
    bool again = p->section != section || (p->object && p->object != object);
    for (size_t k = 0; k < i && !again; k++)
      again = out->parts[k].node == p->node && out->parts[k].section < section &&
              out->parts[k].object == p->object;
    if (!again)
      return false;
  }
  return true;
}

/* A difference is one of the text where another way to load the same tile, read by the
 * same means, does not differ; else it may be one of the reading: it is left open. */
static void check_section(pl_emitted *out, pl_integers *ints, size_t object,
                          int section) {
  pl_answer last = PL_UNKNOWN;
  bool choices = false;
  for (int arm = out->narms; arm >= 0; arm--) {
    const pl_node *node = part_of(out, object, section, arm);
    if (!node || (arm == 0 && choices))
      continue;
    pl_answer alike = fills_alike(out, ints, object, section, arm);
    out->has_open_cells |= alike != PL_YES;
    if (alike == PL_NO && choices && last == PL_YES)
      pl_emitted_fail(out, 'b', node,
                      "it fills cells of '%.*s' otherwise than the loop does",
                      PL_FMT(out->source->objects[object].decl->name));
    choices |= arm > 0;
    last = alike;
  }
}

void pl_check_load_cells(pl_emitted *out) {
  pl_integers *ints = pl_integers_new(out->source->arena, OPERATIONS);
  for (size_t object = 1; object < out->source->nobjects; object++)
    for (int section = 0; section < 3 && !out->claim; section++)
      if (!was_read(out, object, section))
        check_section(out, ints, object, section);
  pl_integers_free(ints);
}
