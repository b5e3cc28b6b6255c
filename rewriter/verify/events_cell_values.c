/* events_cell_values.c - what are the indices of a load, and under which
 * conditions?
 *
 * Needs: a tree, and what is known of its variables. Gives: sums and sets over
 * threads and iterations. Raises: nothing. */
#include "call_summary.h"
#include "effects_parts.h"
#include "events_cells.h"
#include "sets.h"
#include "reaching_definitions.h"

#include <string.h>

const char *const pl_cell_threads[PL_CELL_AXES] = {"threadIdx.x", "threadIdx.y", "threadIdx.z",
                                                   "rank.xy", "rank.xyz"};
const char *const pl_cell_sizes[PL_CELL_AXES] = {
    "$blockDim.x", "$blockDim.y", "$blockDim.z", "$blockDim.x*blockDim.y",
    "$blockDim.x*blockDim.y*blockDim.z"};

/* ---- sums ---------------------------------------------------------------------- */

static const pl_cell_sum unknown;

enum { MOST_NAMES = 3 }; /* of a product */

pl_cell_sum pl_form_sum(const pl_iform *form) {
  return (pl_cell_sum){.is_known = form != NULL, .items = {{.by = form}}, .n = 1};
}

pl_cell_sum pl_number_sum(const pl_cell_reading *r, int64_t number) {
  return (pl_cell_sum){.is_known = true,
                       .items = {{.by = pl_iform_number(r->ints, number), .is_number = true,
                                  .number = number}},
                       .n = 1};
}

pl_cell_sum pl_symbol_sum(const pl_cell_reading *r, pl_str name) {
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
    own->is_number = pl_iform_is_number(own->by, &own->number);
    if (own->is_number && !own->number && to->n > 1)
      *own = to->items[--to->n]; /* none of it is left */
    return;
  }
  bool is_zero = t.is_number && !t.number, was_zero = to->n == 1 && to->items[0].is_number &&
                                                     !to->items[0].number;
  if (is_zero && to->n)
    return;
  to->n -= was_zero;
  to->is_known &= to->n < PL_CELL_TERMS;
  if (to->is_known)
    to->items[to->n++] = t;
}

pl_cell_sum pl_sum_add(pl_cell_sum a, pl_cell_sum b, int64_t times) {
  a.is_known &= b.is_known;
  a.is_widened |= b.is_widened;
  for (size_t i = 0; i < b.n && a.is_known; i++) {
    pl_cell_term t = b.items[i];
    t.by = pl_iform_scale(t.by, times);
    t.number *= times;
    add_term(&a, t);
  }
  return a;
}

/* `threadIdx.y * blockDim.x + threadIdx.x` is as good as a name: each thread along both axes has
 * another one of the numbers below how many there are. */
pl_cell_sum pl_sum_ranked(const pl_cell_reading *r, pl_cell_sum s, int *rank) {
  static const int below[] = {0, PL_CELL_RANK}, along[] = {1, 2};
  const pl_cell_sum was = s;
  *rank = 0;
  for (int i = 0; i < 2 && s.n > 1 && s.is_known; i++) {
    const char *size = pl_cell_sizes[below[i]] + 1, *own = pl_cell_threads[below[i]];
    const pl_iform *row = pl_iform_name(r->ints, pl_cell_threads[along[i]]);
    pl_cell_term *number = NULL, *rows = NULL;
    for (size_t k = 0; k < s.n; k++) {
      number = s.items[k].symbol.n ? number : &s.items[k];
      rows = pl_str_is(s.items[k].symbol, size) && s.items[k].by == row ? &s.items[k] : rows;
    }
    const pl_iform *rest =
        number && rows ? pl_iform_sub(number->by, pl_iform_name(r->ints, own)) : NULL;
    if (!rest || pl_iform_has(rest, own))
      continue;
    *rank = PL_CELL_RANK + i;
    number->by = pl_iform_add(rest, pl_iform_name(r->ints, pl_cell_threads[*rank]));
    *rows = s.items[--s.n];
  }
  for (size_t k = 0; k < s.n && *rank; k++)
    for (int axis = 0; axis < *rank; axis++)
      if (pl_iform_has(s.items[k].by, pl_cell_threads[axis]) || pl_str_has(s.items[k].symbol, "#"))
        *rank = 0;
  return *rank ? s : was;
}

pl_str pl_next_name(pl_str *rest) {
  size_t end = 0;
  while (end < rest->n && rest->p[end] != '*')
    end++;
  pl_str name = {rest->p, end};
  end += end < rest->n;
  *rest = (pl_str){rest->p + end, rest->n - end};
  return name;
}

static bool is_first(pl_str a, pl_str b) {
  int order = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);
  return order < 0 || (order == 0 && a.n <= b.n);
}

pl_str pl_product_of(const pl_cell_reading *r, pl_str a, pl_str b) {
  pl_str made = {0};
  if (!a.n || !b.n)
    return a.n ? a : b;
  while (a.n || b.n) {
    pl_str one = a, other = b, x = pl_next_name(&one), y = pl_next_name(&other);
    bool first = !b.n || (a.n && is_first(x, y));
    pl_str name = first ? x : y;
    *(first ? &a : &b) = first ? one : other;
    made = made.n ? pl_arena_printf(r->arena, "%.*s*%.*s", PL_FMT(made), PL_FMT(name)) : name;
  }
  return made;
}

static int names_in(pl_str product) {
  int n = 0;
  while (product.n) {
    pl_next_name(&product);
    n++;
  }
  return n;
}

/* A form of names alone, as `blockDim.x / 16`, as one of a product. */
static pl_cell_term named_form(const pl_cell_reading *r, const pl_cell_term *t) {
  pl_cell_reading *own = (pl_cell_reading *)r;
  const pl_cell_sum form = pl_form_sum(t->by);
  bool alone = !pl_form_has_turns(r, t->by);
  for (int axis = 0; axis < PL_CELL_AXES; axis++)
    alone &= !pl_iform_has(t->by, pl_cell_threads[axis]);
  if (!alone)
    return *t;
  pl_cell_sum made = pl_term(own, PL_STR("names"), &form, 1);
  made.items[0].symbol = pl_product_of(r, t->symbol, made.items[0].symbol);
  return made.is_known ? made.items[0] : *t;
}

pl_cell_sum pl_sum_times(const pl_cell_reading *r, pl_cell_sum a, pl_cell_sum b) {
  pl_cell_sum made = {.is_known = a.is_known && b.is_known,
                      .is_widened = a.is_widened || b.is_widened};
  for (size_t i = 0; i < a.n && made.is_known; i++)
    for (size_t k = 0; k < b.n && made.is_known; k++) {
      bool both = !a.items[i].is_number && !b.items[k].is_number;
      pl_cell_term x = both ? named_form(r, &a.items[i]) : a.items[i], y = b.items[k];
      if (!x.is_number && !y.is_number)
        y = named_form(r, &y);
      bool deep = names_in(x.symbol) + names_in(y.symbol) > MOST_NAMES;
      made.is_known &= (x.is_number || y.is_number) && !deep;
      add_term(&made, (pl_cell_term){pl_product_of(r, x.symbol, y.symbol),
                                     x.is_number ? pl_iform_scale(y.by, x.number)
                                                 : pl_iform_scale(x.by, y.is_number ? y.number : 0),
                                     x.is_number && y.is_number, x.number * y.number});
    }
  return made;
}

bool pl_sum_is_number(const pl_cell_sum *s, int64_t *number) {
  bool is = s->is_known && s->n == 1 && !s->items[0].symbol.n && s->items[0].is_number;
  *number = is ? s->items[0].number : 0;
  return is;
}

/* What sets call a symbol. */
static const char *name_in_sets(const pl_cell_reading *r, pl_str symbol) {
  pl_cell_terms *t = r->terms;
  for (size_t i = 0; i < t->nnames; i++)
    if (pl_str_eq((pl_str){t->names[i] + 1, strlen(t->names[i]) - 1}, symbol))
      return t->names[i];
  const char *made = pl_arena_printf(r->arena, "$%.*s", PL_FMT(symbol)).p;
  if (!pl_str_starts(symbol, "blockDim.") || pl_str_has(symbol, "*"))
    PL_PUSH(r->arena, t->names, t->nnames, t->names_cap, made);
  return made;
}

const pl_iform *pl_sum_linear(const pl_cell_reading *r, const pl_cell_sum *s) {
  const pl_iform *all = pl_iform_number(r->ints, 0);
  for (size_t i = 0; i < s->n && s->is_known; i++) {
    const pl_cell_term *t = &s->items[i];
    if (t->symbol.n && !t->is_number)
      return NULL;
    all = pl_iform_add(all, !t->symbol.n ? t->by
                                : pl_iform_scale(pl_iform_name(r->ints,
                                                               name_in_sets(r, t->symbol)),
                                                 t->number));
  }
  return s->is_known ? all : NULL;
}

const pl_iform *pl_sum_affine(const pl_cell_reading *r, const pl_cell_sum *s) {
  bool turns;
  return pl_sum_has_terms(r, s, &turns) ? NULL : pl_sum_linear(r, s);
}

/* ---- values --------------------------------------------------------------------- */

bool pl_cell_is_in_text(const pl_cell_reading *r, const pl_decl *decl) {
  return r->region.end && decl->name_range.end && decl->owner &&
         pl_range_inside(decl->name_range, r->region);
}

bool pl_names_clocked(const pl_clocked *v, const pl_decl *decl) {
  pl_str own = v->decl->name, name = decl->name;
  return pl_str_eq(name, own) || pl_is_name_for(name, own, "_load") ||
         pl_is_name_for(name, own, "_tile");
}

/* Whether the loop that is read, or its text, stands in a node. */
static bool is_around(const pl_cell_reading *r, const pl_node *node) {
  return r->region.end ? pl_range_inside(r->region, node->range)
                       : pl_node_within(r->loop->node, node);
}

bool pl_cell_is_own_of(const pl_func *func, const pl_decl *decl) {
  const pl_node *up = func->body ? func->body->parent : NULL;
  return up && up->kind == PL_NODE_LAMBDA
             ? pl_is_declared_in(decl, up)
             : decl->owner && pl_written_func(decl->owner) == pl_written_func(func);
}

/* A lambda's names are those of what it stands in, too, which is called as well then. */
bool pl_cell_is_callees(const pl_cell_reading *r, const pl_decl *decl) {
  const pl_node *up = r->calls && r->func->body ? r->func->body->parent : NULL;
  for (bool lambda = up && up->kind == PL_NODE_LAMBDA; lambda && up; up = up->parent)
    if (is_around(r, up))
      return false;
    else if (up->kind == PL_NODE_LAMBDA && pl_is_declared_in(decl, up))
      return true;
  const pl_func *func = r->func->outer ? r->func->outer : r->func;
  return r->calls && decl->owner && pl_written_func(decl->owner) == pl_written_func(func);
}

/* Whether a variable of the text is around all that the loop has become: what the source's
 * loop declares hides it there, and is another one. */
static bool is_written_around(const pl_cell_reading *r, const pl_decl *decl) {
  return decl->name_range.end && decl->owner &&
         pl_written_func(decl->owner) == pl_written_func(r->func) && !pl_cell_is_in_text(r, decl);
}

/* The source's variable of that name, of those that its iterations set; NULL: none. */
static const pl_clocked *clocked(const pl_cell_reading *r, const pl_decl *decl) {
  if (pl_cell_is_callees(r, decl))
    return NULL;
  for (size_t i = 0; i < r->loop->nvars; i++) {
    const pl_clocked *v = &r->loop->vars[i];
    bool other = r->region.end && pl_is_declared_in(v->decl, r->loop->node) && is_written_around(r, decl);
    if (v->writers && !other && (r->region.end ? pl_names_clocked(v, decl) : v->decl == decl))
      return v;
  }
  return NULL;
}

pl_str pl_cell_name(const pl_cell_reading *r, const pl_decl *decl) {
  const pl_clocked *v = clocked(r, decl);
  return v ? v->decl->name : decl->name;
}

bool pl_cell_is_moved_on(const pl_cell_reading *r, const pl_decl *decl) {
  const pl_clocked *v = clocked(r, decl);
  return v && !v->is_temporary && !v->is_scratch;
}

bool pl_cell_is_inner(const pl_cell_reading *r, const pl_decl *decl) {
  const pl_clocked *v = clocked(r, decl);
  return pl_cell_is_callees(r, decl) || pl_cell_is_in_text(r, decl) || (v && (v->is_temporary || v->is_scratch)) ||
         (!r->region.end && decl->node && pl_node_within(decl->node, r->loop->node));
}

typedef struct set_search {
  const pl_decl *decl;
  bool found;
} set_search;

static void note_set(pl_decl *decl, void *context) {
  set_search *s = context;
  s->found |= decl == s->decl;
}

/* What lambdas name is not set by that, as their own nodes are looked at. */
static bool find_set(pl_node *node, void *context) {
  set_search *s = context;
  if (node->kind != PL_NODE_LAMBDA)
    s->found |= !pl_each_set(node, note_set, s);
  return !s->found;
}

bool pl_is_never_set(const pl_decl *decl) {
  set_search search = {.decl = decl, .found = !decl->owner || !decl->owner->body};
  if (!search.found)
    pl_node_walk(decl->owner->body, find_set, &search);
  return !search.found;
}

/* A variable that holds what it began with. */
pl_node *pl_beginning_of(const pl_node *ref) {
  const pl_decl *decl = ref->decl;
  bool fixed = decl->init && decl->kind == PL_DECL_VAR && !decl->is_shared &&
               !decl->is_static && !pl_is_reference(decl->type) &&
               (decl->type->is_const || decl->is_constexpr ||
                pl_reaching_initialiser(ref) == decl->init ||
                pl_is_never_set(decl));
  return fixed ? decl->init : NULL;
}

bool pl_cell_is_filled(const pl_cell_reading *r, const pl_decl *decl) {
  for (size_t i = 0; i < r->nfills; i++)
    if (r->fills[i].local == decl)
      return true;
  return false;
}

void pl_cell_bind(pl_cell_reading *r, pl_cell_variable made) {
  for (size_t i = r->nbound; i-- > 0;)
    if (r->bound[i].decl == made.decl) {
      r->bound[i] = made;
      return;
    }
  PL_PUSH(r->arena, r->bound, r->nbound, r->bound_cap, made);
}

bool pl_cell_unbind(pl_cell_reading *r, const pl_decl *decl) {
  size_t kept = 0, n = r->nbound;
  for (size_t i = 0; i < n; i++)
    if (r->bound[i].decl != decl)
      r->bound[kept++] = r->bound[i];
  r->nbound = kept;
  return kept < n;
}

/* What was bound elsewhere is what its fills say, if it is the load's own. */
const pl_cell_variable *pl_cell_bound_to(const pl_cell_reading *r, const pl_decl *decl) {
  static const pl_cell_variable open[] = {{.decl = NULL}, {.is_place = true}};
  for (size_t i = r->nbound; i-- > 0;) {
    const pl_cell_variable *v = &r->bound[i];
    if (v->decl != decl)
      continue;
    bool here = !v->within || v->within == r->path ||
                pl_iset_is_subset(r->path, v->within) == PL_YES;
    return here ? v : pl_cell_is_moved_on(r, decl) ? &open[v->is_place] : NULL;
  }
  return NULL;
}

pl_node *pl_cell_beginning(pl_cell_reading *r, const pl_node *ref, int *was) {
  pl_node *init = r->depth < PL_CELL_DEPTH ? pl_beginning_of(ref) : NULL;
  *was = r->ahead;
  r->ahead += init && !pl_cell_is_inner(r, ref->decl);
  return init;
}

bool pl_cell_may_have_changed(const pl_cell_reading *r, const pl_decl *decl) {
  return r->ahead && (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
         (clocked(r, decl) || !pl_is_never_set(decl));
}

/* Whether a variable is not known to be one number of all threads. */
static bool differs(pl_cell_names *names, pl_arena *arena, pl_threads_at *at,
                    const pl_decl *decl) {
  for (size_t i = 0; i < names->n; i++)
    if (names->items[i].decl == decl)
      return names->items[i].differs;
  pl_cell_named made = {decl, !pl_variable_is_uniform(at, (pl_decl *)decl)};
  PL_PUSH(arena, names->items, names->n, names->cap, made);
  return made.differs;
}

pl_str pl_cell_noted_name(pl_cell_reading *r, const pl_decl *decl) {
  const pl_clocked *v = clocked(r, decl);
  pl_cell_named named = {v ? v->decl : decl, false};
  for (size_t i = 0; i < r->nnamed_vars; i++)
    if (r->named_vars[i].decl == named.decl)
      return named.decl->name;
  named.differs = differs(r->names, r->arena,
                          v || !r->region.end ? &r->names->source : &r->names->text, named.decl);
  PL_PUSH(r->arena, r->named_vars, r->nnamed_vars, r->named_vars_cap, named);
  return named.decl->name;
}

/* A thread may call a method of an object of its own. */
bool pl_cell_name_differs(const pl_cell_reading *r, pl_str name) {
  if (pl_str_is(name, "this"))
    return true;
  for (size_t i = 0; i < r->nnamed_vars; i++)
    if (r->named_vars[i].differs && pl_str_eq(r->named_vars[i].decl->name, name))
      return true;
  return false;
}

static pl_cell_sum of_variable(pl_cell_reading *r, pl_node *ref) {
  const pl_decl *decl = ref->decl;
  int ahead;
  const pl_cell_variable *bound = pl_cell_bound_to(r, decl);
  if (bound && bound->is_place) {
    pl_cell_place place = pl_cell_place_of(r, ref);
    return pl_content_of(r, &place);
  }
  if (bound)
    return bound->value;
  if (pl_cell_is_moved_on(r, decl))
    return r->ahead ? unknown : pl_symbol_sum(r, pl_cell_noted_name(r, decl));
  pl_node *init = pl_cell_beginning(r, ref, &ahead);
  if (init) {
    r->depth++;
    pl_cell_sum made = pl_converted(r, pl_sum_of(r, init), init->type, decl->type);
    r->depth--;
    r->ahead = ahead;
    if (made.is_known)
      return made;
  }
  if (pl_cell_is_filled(r, decl)) {
    pl_cell_place place = pl_cell_place_of(r, ref);
    return pl_content_of(r, &place);
  }
  bool named = decl->kind == PL_DECL_TEMPLATE_VALUE ||
               ((decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM) &&
                !decl->is_shared && !pl_cell_is_inner(r, decl));
  named &= init || !pl_cell_may_have_changed(r, decl);
  named &= !decl->init || pl_node_bare(decl->init)->kind != PL_NODE_LAMBDA; /* it may differ */
  return !named ? unknown
         : decl->kind == PL_DECL_TEMPLATE_VALUE
             ? pl_symbol_sum(r, pl_arena_printf(r->arena, "%.*s%.*s", PL_FMT(decl->name),
                                                PL_FMT(r->made_for)))
             : pl_symbol_sum(r, pl_cell_noted_name(r, decl));
}

int pl_axis_of(const pl_node *member) {
  return pl_str_is(member->name, "x")   ? 0
         : pl_str_is(member->name, "y") ? 1
         : pl_str_is(member->name, "z") ? 2
                                        : -1;
}

pl_cell_sum pl_block_sum(const pl_cell_reading *r, int axis) {
  return r->block[axis] ? pl_number_sum(r, r->block[axis])
                        : pl_symbol_sum(r, pl_arena_printf(r->arena, "blockDim.%c",
                                                           "xyz"[axis]));
}

bool pl_cell_names_member(const pl_cell_place *place, int64_t *at) {
  return place->is_known && !place->object && !place->local &&
         pl_str_starts(place->root, "&") && pl_sum_is_number(&place->at, at);
}

pl_str pl_cell_member_name(const pl_cell_reading *r, const pl_cell_place *place, int64_t at) {
  return pl_arena_printf(r->arena, "%.*s+%lld", PL_FMT(place->root), (long long)at);
}

/* What lies where a member does. */
static pl_cell_sum of_field(pl_cell_reading *r, pl_node *node) {
  pl_cell_place place = pl_cell_place_of(r, node);
  int64_t at;
  bool number = place.is_known && place.of && node->decl && node->decl->is_field &&
                pl_is_wide_integer(node->type) && !pl_cell_is_filled(r, place.of);
  pl_cell_sum made = number ? pl_cell_made_number(r, &place, node->decl) : unknown;
  if (made.is_known)
    return made;
  return !r->ahead && pl_cell_names_member(&place, &at) && pl_is_wide_integer(node->type)
             ? pl_cell_held_by(r, &place, pl_symbol_sum(r, pl_cell_member_name(r, &place, at)))
             : pl_content_of(r, &place);
}

/* `threadIdx.x`, `blockDim.x` */
static pl_cell_sum of_member(pl_cell_reading *r, pl_node *node) {
  const pl_node *base = node->nkids && node->kids[0] ? pl_node_bare(node->kids[0]) : NULL;
  int axis = pl_axis_of(node);
  if (axis < 0 || !base || base->kind != PL_NODE_REF)
    return of_field(r, node);
  if (pl_str_is(base->name, "threadIdx") || pl_str_is(base->name, "blockDim"))
    r->asked |= 1 << axis;
  if (pl_str_is(base->name, "threadIdx")) {
    r->is_lost |= r->taken >> axis & 1;
    r->named |= 1 << axis;
    return pl_form_sum(pl_iform_name(r->ints, pl_cell_threads[axis]));
  }
  if (pl_str_is(base->name, "blockDim"))
    return pl_block_sum(r, axis);
  if (!pl_str_is(base->name, "blockIdx") && !pl_str_is(base->name, "gridDim"))
    return of_field(r, node);
  return pl_symbol_sum(r, pl_arena_printf(r->arena, "%.*s.%.*s", PL_FMT(base->name),
                                       PL_FMT(node->name)));
}

/* Rounding down is rounding towards zero, in one piece in the place of two. */
static bool is_not_negative(const pl_cell_reading *r, const pl_iform *form) {
  return pl_iset_is_subset(pl_iset_and(r->path, r->threads),
                           pl_iset_compare(form, PL_OP_GE, pl_iform_number(r->ints, 0))) ==
         PL_YES;
}

/* ---- numbers without a sign ------------------------------------------------------ */

/* How an integer is computed with. */
typedef struct integer_kind {
  int64_t size;
  bool is_unsigned;
} integer_kind;

static integer_kind kind_of(const pl_type *type) {
  type = type ? pl_no_reference(type) : NULL;
  return type && type->size >= 4 ? (integer_kind){type->size, type->is_unsigned}
                                 : (integer_kind){4, false};
}

static integer_kind common_kind(const pl_node *node) {
  const integer_kind a = kind_of(node->kids[0]->type), b = kind_of(node->kids[1]->type);
  return a.size != b.size ? (a.size > b.size ? a : b)
                          : (integer_kind){a.size, a.is_unsigned || b.is_unsigned};
}

/* Whether a name, or each of a product, is of what is not below zero. */
static bool has_no_sign(const pl_cell_reading *r, pl_str product) {
  bool all = true;
  while (product.n && all) {
    pl_str name = pl_next_name(&product);
    all = pl_str_starts(name, "blockDim.") || pl_str_starts(name, "blockIdx.") ||
          pl_str_starts(name, "gridDim.");
    for (size_t i = 0; i < r->nnamed_vars && !all; i++)
      all = pl_str_eq(r->named_vars[i].decl->name, name) &&
            pl_no_reference(r->named_vars[i].decl->type)->is_unsigned;
  }
  return all;
}

/* Threads and turns are not below zero either. */
static bool is_from_zero(const char *name, const void *reading) {
  return name[0] != '$' || has_no_sign(reading, (pl_str){name + 1, strlen(name) - 1});
}

/* Whether a sum plainly is not negative. */
static bool adds_up(const pl_cell_reading *r, const pl_cell_sum *s) {
  bool all = s->is_known;
  for (size_t i = 0; i < s->n && all; i++)
    all = pl_iform_adds_up(s->items[i].by, is_from_zero, r) &&
          has_no_sign(r, s->items[i].symbol);
  return all;
}

static const pl_iset *from_zero(const pl_cell_reading *r, const pl_iset *set,
                                const pl_iform *form, const char *name) {
  return !pl_iform_has(form, name)
             ? set
             : pl_iset_and(set, pl_iset_compare(pl_iform_name(r->ints, name), PL_OP_GE,
                                                pl_iform_number(r->ints, 0)));
}

/* ... or is not where it is asked for. */
static bool is_never_negative(const pl_cell_reading *r, const pl_iform *form) {
  if (!form)
    return false;
  const pl_iform *zero = pl_iform_number(r->ints, 0);
  const pl_iset *where = pl_iset_and(r->path, r->threads);
  for (int axis = 0; axis < PL_CELL_AXES; axis++)
    where = from_zero(r, where, form, pl_cell_threads[axis]);
  for (int i = 0; i < r->most_loops; i++)
    where = from_zero(r, where, form, pl_arena_printf(r->arena, "n%d", i).p);
  for (int i = 0; i < r->counters; i++)
    where = from_zero(r, where, form, pl_arena_printf(r->arena, "m%d", i).p);
  for (size_t i = 0; i < r->terms->nnames; i++)
    if (is_from_zero(r->terms->names[i], r))
      where = from_zero(r, where, form, r->terms->names[i]);
  return pl_iset_is_subset(where, pl_iset_compare(form, PL_OP_GE, zero)) == PL_YES;
}

static bool sum_has_turns(const pl_cell_reading *r, const pl_cell_sum *s) {
  bool found = false;
  pl_sum_has_terms(r, s, &found);
  for (size_t i = 0; i < s->n && !found; i++)
    found = pl_form_has_turns(r, s->items[i].by);
  return found;
}

/* Numbers of four bytes are no more than those hold, where that is asked for. */
static void note_range(const pl_cell_reading *r, const pl_iform *form, const pl_decl *decl) {
  const char *name = pl_arena_printf(r->arena, "$%.*s", PL_FMT(decl->name)).p;
  const pl_type *type = pl_no_reference(decl->type);
  if (type->kind != PL_TYPE_INT || type->size != 4 || !pl_iform_has(form, name))
    return;
  const int64_t all = (int64_t)1 << 32, first = type->is_unsigned ? 0 : -all / 2;
  const pl_iform *own = pl_iform_name(r->ints, name);
  const pl_iset *range =
      pl_iset_and(pl_iset_compare(own, PL_OP_GE, pl_iform_number(r->ints, first)),
                  pl_iset_compare(own, PL_OP_LT, pl_iform_number(r->ints, first + all)));
  r->terms->ranges = r->terms->ranges ? pl_iset_and(r->terms->ranges, range) : range;
}

/* Sums do not wrap around: a number without a sign has, where it is below zero, or more than four
 * bytes hold. Of eight it is more than all others then. */
static const pl_iform *around(const pl_cell_reading *r, const pl_iform *form, int64_t size) {
  const pl_iform *all = pl_iform_number(r->ints, (int64_t)1 << 32);
  const pl_iform *top = size > 4 ? NULL : pl_iform_sub(form, all);
  for (size_t i = 0; i < r->nnamed_vars; i++)
    note_range(r, form, r->named_vars[i].decl);
  const pl_iform *made =
      pl_iform_choose(pl_iset_compare(form, PL_OP_GE, pl_iform_number(r->ints, 0)), form,
                      pl_iform_add(form, top ? all : pl_iform_scale(all, 1 << 30)));
  return top ? pl_iform_choose(pl_iset_compare(form, PL_OP_GE, all), top, made) : made;
}

/* What a sum is as a number of its type, and then as an operand. NULL: not known. */
static const pl_iform *as_operand(pl_cell_reading *r, const pl_cell_sum *s,
                                  const pl_iform *form, const pl_type *type, integer_kind in) {
  const integer_kind own = kind_of(type);
  int64_t size = own.is_unsigned ? own.size : in.is_unsigned ? in.size : 0;
  if (!s->is_widened && (!size || adds_up(r, s) || is_never_negative(r, form)))
    return form;
  r->wraps |= sum_has_turns(r, s);
  if (s->is_widened || !form)
    return NULL;
  return around(r, form, size);
}

pl_cell_sum pl_cell_index(pl_cell_reading *r, pl_cell_sum sum, const pl_type *type) {
  bool apart = kind_of(type).is_unsigned && kind_of(type).size == 4 && !adds_up(r, &sum);
  for (size_t i = 0; i < sum.n && apart; i++)
    apart = has_no_sign(r, sum.items[i].symbol);
  const pl_iform *form = apart ? pl_sum_affine(r, &sum) : NULL;
  return !form || is_never_negative(r, form) ? sum : pl_form_sum(around(r, form, 4));
}

/* A number as an integer of some bytes holds it. */
static int64_t wrapped(int64_t number, const pl_type *type) {
  int64_t all = (int64_t)1 << 8 * type->size, rest = ((number % all) + all) % all;
  return !type->is_unsigned && rest >= all / 2 ? rest - all : rest;
}

/* Of two numbers, which sums and products have made in whole ones: what wraps around does so
 * here, where that makes a difference. */
static pl_cell_sum divided_numbers(const pl_cell_reading *r, const pl_node *node, int64_t a,
                                   int64_t b) {
  bool shift = node->op == PL_OP_SHR;
  if (node->type->is_unsigned && node->type->size > 4)
    return unknown;
  if (node->type->is_unsigned) {
    a = wrapped(a, node->type);
    b = shift ? b : wrapped(b, node->type);
  }
  if (a < 0 || b < 0 || (shift ? b >= 8 * node->type->size : !b))
    return unknown;
  return pl_number_sum(r, shift                    ? a >> b
                          : node->op == PL_OP_DIV ? a / b
                          : node->op == PL_OP_REM ? a % b
                                                  : (a & b));
}

/* So many times a name, divided by it, which is no zero then. */
static pl_cell_sum without_factor(const pl_cell_sum *a, const pl_cell_sum *b) {
  bool is = a->is_known && b->is_known && a->n == 1 && b->n == 1 && b->items[0].symbol.n &&
            b->items[0].is_number && b->items[0].number == 1 &&
            pl_str_eq(a->items[0].symbol, b->items[0].symbol);
  pl_cell_sum made = is ? *a : unknown;
  made.items[0].symbol = (pl_str){0};
  return made;
}

static pl_cell_sum divided(pl_cell_reading *r, const pl_node *node, const pl_cell_sum *a,
                           const pl_cell_sum *b) {
  int64_t one, other;
  bool numbers = pl_sum_is_number(a, &one) && pl_sum_is_number(b, &other) &&
                 (node->op == PL_OP_DIV || node->op == PL_OP_REM || node->op == PL_OP_SHR ||
                  node->op == PL_OP_AND);
  pl_cell_sum made = numbers ? divided_numbers(r, node, one, other) : unknown;
  if (made.is_known)
    return made;
  made = node->op == PL_OP_DIV ? without_factor(a, b) : unknown;
  if (made.is_known)
    return made;
  const pl_iform *form = a->is_known ? pl_sum_affine(r, a) : NULL;
  int64_t by;
  if (!form || !pl_sum_is_number(b, &by) || by <= 0 || by > 1 << 20)
    return unknown;
  bool rest = node->op == PL_OP_AND || (node->op == PL_OP_REM && (by & (by - 1)) == 0);
  if (!rest && (node->op != PL_OP_SHR || a->is_widened))
    form = as_operand(r, a, form, node->kids[0]->type, kind_of(node->type));
  if (!form)
    return unknown;
  bool down = node->type->is_unsigned || is_not_negative(r, form);
  switch (node->op) {
  case PL_OP_DIV: return pl_form_sum(down ? pl_iform_floor(form, by) : pl_iform_div(form, by));
  case PL_OP_REM: return pl_form_sum(down ? pl_iform_mod(form, by) : pl_iform_rem(form, by));
  case PL_OP_SHR:
    if (node->type->is_unsigned && !is_not_negative(r, form))
      return unknown;
    return by < 20 ? pl_form_sum(pl_iform_floor(form, (int64_t)1 << by)) : unknown;
  case PL_OP_AND:
    return (by & (by + 1)) == 0 ? pl_form_sum(pl_iform_mod(form, by + 1)) : unknown;
  default: return unknown;
  }
}

pl_cell_sum pl_sum_combined(pl_cell_reading *r, const pl_node *node, const pl_cell_sum *a,
                            const pl_cell_sum *b) {
  int64_t by;
  switch (node->op) {
  case PL_OP_ADD: return pl_sum_add(*a, *b, 1);
  case PL_OP_SUB: return pl_sum_add(*a, *b, -1);
  case PL_OP_MUL: return pl_sum_times(r, *a, *b);
  case PL_OP_SHL:
    return pl_sum_is_number(b, &by) && by >= 0 && by < 20
               ? pl_sum_times(r, *a, pl_number_sum(r, (int64_t)1 << by))
               : unknown;
  default: return divided(r, node, a, b);
  }
}

bool pl_is_wide_integer(const pl_type *type) {
  return type && type->kind == PL_TYPE_INT && type->size >= 4;
}

static bool is_whole(const pl_type *type) {
  return type && pl_is_number_or_enum(type) && type->kind != PL_TYPE_FLOAT;
}

pl_cell_sum pl_converted(pl_cell_reading *r, pl_cell_sum sum, const pl_type *from,
                         const pl_type *to) {
  from = from ? pl_no_reference(from) : NULL;
  to = to ? pl_no_reference(to) : NULL;
  bool same = !from || !to || pl_same_type(from, to) ||
              (is_whole(from) && pl_is_wide_integer(to)) ||
              (from->kind == PL_TYPE_ARRAY && to->kind == PL_TYPE_POINTER);
  int64_t number;
  sum.is_widened &= !to || to->size > 4;
  if (!same && is_whole(from) && to->kind == PL_TYPE_INT && to->size < 4 &&
      pl_sum_is_number(&sum, &number))
    return pl_number_sum(r, wrapped(number, to));
  if (same && from && to && from->kind == PL_TYPE_INT && from->is_unsigned &&
      from->size < to->size && pl_sum_is_number(&sum, &number))
    return pl_number_sum(r, wrapped(number, from));
  if (from && to && pl_is_wide_integer(from) && from->is_unsigned && pl_is_wide_integer(to) &&
      from->size < to->size)
    sum.is_widened |= !adds_up(r, &sum);
  return same ? sum
              : pl_term(r, pl_arena_printf(r->arena, "%s to %.*s%.*s", pl_cell_kind_of(from),
                                           PL_FMT(to->spelling), PL_FMT(r->made_for)),
                        &sum, 1);
}

static pl_cell_sum of_binary(pl_cell_reading *r, const pl_node *node) {
  const int asked = r->asked, named = r->named;
  pl_cell_sum both[] = {pl_sum_of(r, node->kids[0]), pl_sum_of(r, node->kids[1])};
  bool compares = node->op >= PL_OP_LT && node->op <= PL_OP_NE;
  const integer_kind in = common_kind(node);
  for (int i = 0; i < 2 && pl_is_wide_integer(node->type) && node->type->size > 4; i++)
    if (pl_is_wide_integer(node->kids[i]->type) && node->op != PL_OP_SHL && node->op != PL_OP_SHR)
      both[i] = pl_converted(r, both[i], node->kids[i]->type, node->type);
  pl_cell_sum made = pl_is_wide_integer(node->type)
                         ? pl_sum_combined(r, node, &both[0], &both[1]) : unknown;
  int rank;
  made = pl_sum_ranked(r, made, &rank);
  if (rank) {
    r->asked = asked | 1 << rank;
    r->named = named | 1 << rank;
  }
  return made.is_known || node->op == PL_OP_COMMA ? made
         : pl_term(r, pl_arena_printf(r->arena, "%s%s%s %.*s", pl_op_name(node->op),
                                      compares && in.is_unsigned ? " unsigned" : "",
                                      compares && in.size > 4 ? " wide" : "",
                                      PL_FMT(node->type ? node->type->spelling
                                                        : PL_STR(""))),
                   both, 2);
}

/* One of two, by where a condition holds. */
static pl_cell_sum of_choice(pl_cell_reading *r, const pl_node *node) {
  const pl_iset *yes = pl_cell_condition(r, node->kids[0]), *path = r->path;
  pl_cell_sum arms[2];
  for (int i = 0; i < 2 && yes; i++) {
    r->path = i ? pl_iset_minus(path, yes) : pl_iset_and(path, yes);
    arms[i] = pl_sum_of(r, node->kids[1 + i]);
    if (pl_is_wide_integer(node->type))
      arms[i] = pl_converted(r, arms[i], node->kids[1 + i]->type, node->type);
  }
  r->path = path;
  if (!yes || !arms[0].is_known || !arms[1].is_known)
    return unknown;
  const pl_iform *one = pl_sum_affine(r, &arms[0]), *other = pl_sum_affine(r, &arms[1]);
  if (one && other && pl_is_wide_integer(node->type)) {
    pl_cell_sum made = pl_form_sum(pl_iform_choose(yes, one, other));
    made.is_widened = arms[0].is_widened || arms[1].is_widened;
    return made;
  }
  return pl_term_of_arms(r, arms, (const pl_iset *[]){pl_iset_and(path, yes),
                                                      pl_iset_minus(path, yes)}, 2);
}

/* That of what is no variable of the thread's own: who is handed it may read more than
 * lies there. */
static pl_cell_sum of_address(pl_cell_reading *r, pl_node *node) {
  pl_cell_place to = pl_place_led_to(r, node);
  to.is_known &= !to.local;
  pl_cell_sum content = pl_content_of(r, &to);
  return pl_term(r, PL_STR("&"), &content, 1);
}

static bool is_address(const pl_node *node) {
  return node->type && (node->type->kind == PL_TYPE_POINTER ||
                        node->type->kind == PL_TYPE_ARRAY);
}

/* `min(a, b)` of numbers. */
static pl_cell_sum of_least(pl_cell_reading *r, pl_node *node, pl_op op) {
  pl_cell_sum arms[] = {pl_sum_of(r, node->kids[1]), pl_sum_of(r, node->kids[2])};
  const pl_iform *one = arms[0].is_known ? pl_sum_affine(r, &arms[0]) : NULL;
  const pl_iform *other = arms[1].is_known ? pl_sum_affine(r, &arms[1]) : NULL;
  one = as_operand(r, &arms[0], one, node->kids[1]->type, kind_of(node->type));
  other = as_operand(r, &arms[1], other, node->kids[2]->type, kind_of(node->type));
  return one && other
             ? pl_form_sum(pl_iform_choose(pl_iset_compare(one, op, other), one, other))
             : unknown;
}

/* A thread's rank in its block, or how many those are. */
static pl_cell_sum of_block(pl_cell_reading *r, bool rank) {
  pl_cell_sum sum = pl_number_sum(r, 0), threads = pl_number_sum(r, 1);
  const int asked = r->asked, named = r->named;
  int ranked = 0;
  for (int axis = 0; axis < 3; axis++) {
    pl_cell_sum own = pl_form_sum(pl_iform_name(r->ints, pl_cell_threads[axis]));
    sum = pl_sum_ranked(r, pl_sum_add(sum, pl_sum_times(r, own, threads), 1), &ranked);
    threads = pl_sum_times(r, threads, pl_block_sum(r, axis));
    r->is_lost |= rank && r->taken >> axis & 1;
    r->named |= rank ? 1 << axis : 0;
    r->asked |= 1 << axis;
  }
  if (rank && ranked) {
    r->asked = asked | 1 << ranked;
    r->named = named | 1 << ranked;
  }
  return rank ? sum : threads;
}

static pl_cell_sum of_call(pl_cell_reading *r, pl_node *node) {
  if (pl_is_block_rank(node) || pl_is_block_size(node))
    return of_block(r, pl_is_block_rank(node));
  bool least = pl_str_is(node->name, "min"), most = pl_str_is(node->name, "max");
  if (pl_is_load_call(node)) {
    pl_cell_place place = pl_cell_place_of(r, node);
    return pl_content_of(r, &place);
  }
  if ((least || most) && node->nkids == 3 && pl_is_wide_integer(node->type) &&
      !(node->decl && node->decl->is_user))
    return of_least(r, node, least ? PL_OP_LE : PL_OP_GE);
  pl_cell_call call;
  pl_cell_sum made = unknown;
  pl_node *value = pl_enter_value(r, node, &call);
  if (value) {
    made = pl_converted(r, pl_sum_of(r, value), value->type, node->type);
    pl_leave_call(r, &call);
  }
  return made.is_known ? made : pl_value_of_call(r, node);
}

/* What a condition's step gives, of a variable that the loop counts. */
static pl_cell_sum of_step(pl_cell_reading *r, const pl_node *node) {
  const pl_node *of = pl_node_bare(node->kids[0]);
  const pl_cell_variable *bound = of->kind == PL_NODE_REF && of->decl
                                      ? pl_cell_bound_to(r, of->decl) : NULL;
  bool ahead = node->op == PL_OP_PREINC || node->op == PL_OP_PREDEC;
  return !bound || !bound->is_counted || bound->is_place ? unknown
         : ahead ? pl_sum_add(bound->value, pl_cell_step_of(r, node), 1) : bound->value;
}

static pl_cell_sum known_sum(pl_cell_reading *r, pl_node *node) {
  pl_cell_place place;
  switch (node->kind) {
  case PL_NODE_REF:
    return node->decl ? of_variable(r, node) : pl_symbol_sum(r, node->name);
  case PL_NODE_MEMBER: return of_member(r, node);
  case PL_NODE_SUBSCRIPT:
    place = pl_cell_place_of(r, node);
    return pl_content_of(r, &place);
  case PL_NODE_CAST:
    return is_whole(node->type) && is_whole(node->kids[0]->type)
               ? pl_converted(r, pl_sum_of(r, node->kids[0]), node->kids[0]->type,
                              node->type)
               : unknown;
  case PL_NODE_UNARY:
    if (node->op == PL_OP_DEREF) {
      place = pl_cell_place_of(r, node);
      return pl_content_of(r, &place);
    }
    if (r->asks && pl_node_is_step(node))
      return of_step(r, node);
    if (!pl_is_wide_integer(node->type))
      return unknown;
    return node->op == PL_OP_PLUS    ? pl_sum_of(r, node->kids[0])
           : node->op == PL_OP_MINUS ? pl_sum_add(pl_number_sum(r, 0),
                                                  pl_sum_of(r, node->kids[0]), -1)
                                     : unknown;
  case PL_NODE_COND: return of_choice(r, node);
  case PL_NODE_CALL: return of_call(r, node);
  default: return unknown;
  }
}

pl_cell_sum pl_sum_of(pl_cell_reading *r, pl_node *node) {
  node = pl_node_bare(node);
  const pl_func *of = r->func->outer ? r->func->outer : r->func;
  const pl_open_value *open = node->open && of->pattern && of->own < of->ninstances
                                  ? &node->open[of->own] : NULL;
  if (node->has_ival || (open && open->is_known))
    return pl_number_sum(r, node->has_ival ? node->ival : open->value);
  if (node->kind != PL_NODE_INT && pl_is_zeros(r, node))
    return pl_number_sum(r, 0);
  if (node->kind == PL_NODE_BINARY && !is_address(node))
    return of_binary(r, node);
  pl_cell_sum made = is_address(node) ? of_address(r, node) : known_sum(r, node);
  return made.is_known || is_address(node) ? made : pl_term_of(r, node);
}

/* ---- conditions ------------------------------------------------------------------- */

static const pl_iset *noted(pl_cell_reading *r, const pl_cell_sum *a,
                            const pl_iset *where) {
  r->has_terms |= pl_sum_differs(r, a, &r->has_turns);
  return where;
}

/* Where a truth that the load has given a variable is one; NULL: that is not known. */
static const pl_iset *of_truth(pl_cell_reading *r, const pl_decl *decl) {
  const pl_iset *all = pl_iset_all(r->ints), *found = pl_iset_minus(all, all), *left = r->path;
  if (decl->type->kind != PL_TYPE_BOOL || pl_cell_bound_to(r, decl))
    return NULL;
  for (size_t i = 0; i < r->nfills; i++) {
    const pl_cell_fill *f = &r->fills[i];
    bool yes = pl_str_is(f->from, "=1");
    if (f->local != decl)
      continue;
    if (!yes && !pl_str_is(f->from, "=0"))
      return NULL;
    for (int k = r->loops; k < r->most_loops; k++)
      if (pl_iset_has(f->within, pl_arena_printf(r->arena, "n%d", k).p))
        return NULL;
    found = yes ? pl_iset_or(found, f->within) : found;
    left = pl_iset_minus(left, f->within);
    r->has_terms |= f->has_terms;
    r->has_turns |= f->has_turns;
  }
  return pl_iset_is_empty(left) == PL_YES ? found : NULL;
}

/* Where a term is no zero. */
static const pl_iset *is_true(pl_cell_reading *r, pl_node *node) {
  const pl_iset *truth = node->kind == PL_NODE_REF && node->decl ? of_truth(r, node->decl) : NULL;
  if (truth)
    return truth;
  pl_cell_sum value = pl_sum_of(r, node);
  const pl_iform *form = pl_sum_linear(r, &value);
  return noted(r, &value,
               pl_iset_compare(form, pl_sum_is_truth(r, &value) ? PL_OP_GT : PL_OP_NE,
                               pl_iform_number(r->ints, 0)));
}

/* Addresses in one object, or behind one pointer. */
static const pl_iset *compared_places(pl_cell_reading *r, pl_node *node) {
  pl_cell_place a = pl_place_led_to(r, node->kids[0]), b = pl_place_led_to(r, node->kids[1]);
  if (!a.is_known || !b.is_known || a.object != b.object || a.local != b.local ||
      !pl_str_eq(a.root, b.root))
    return NULL;
  pl_cell_sum apart = pl_sum_add(a.at, b.at, -1);
  return noted(r, &apart, pl_iset_compare(pl_sum_linear(r, &apart), node->op,
                                          pl_iform_number(r->ints, 0)));
}

/* A number with a sign beside one without, which is not below zero: where it is, it is more than
 * that. Of two such, or none, as they are. */
static const pl_iset *compared_beside(const pl_cell_reading *r, const pl_node *node,
                                      const pl_iform *left, const pl_iform *right, int signed_one) {
  const pl_iset *found = pl_iset_compare(left, node->op, right);
  const pl_iset *below = signed_one < 0 ? NULL
                                        : pl_iset_compare(signed_one ? right : left, PL_OP_LT,
                                                          pl_iform_number(r->ints, 0));
  if (signed_one < 0 || node->op == PL_OP_EQ || node->op == PL_OP_NE)
    return found;
  bool most = (node->op == PL_OP_LT || node->op == PL_OP_LE) == (signed_one == 1);
  return most ? pl_iset_or(found, below) : pl_iset_minus(found, below);
}

/* Which of a comparison's sides has a sign, and may be below zero; -1: no one of them. */
static int signed_side(const pl_cell_reading *r, const pl_node *node, const pl_cell_sum *a,
                       const pl_cell_sum *b) {
  const pl_cell_sum *const sides[] = {a, b};
  const integer_kind in = common_kind(node);
  for (int i = 0; i < 2 && in.is_unsigned; i++)
    if (!kind_of(node->kids[i]->type).is_unsigned && !adds_up(r, sides[i]) &&
        !sides[i]->is_widened && !sides[!i]->is_widened &&
        (adds_up(r, sides[!i]) || is_never_negative(r, pl_sum_linear(r, sides[!i]))))
      return i;
  return -1;
}

static const pl_iset *compared(pl_cell_reading *r, pl_node *node) {
  const pl_iset *places = is_address(node->kids[0]) && is_address(node->kids[1])
                              ? compared_places(r, node) : NULL;
  if (places)
    return places;
  pl_cell_sum a = pl_sum_of(r, node->kids[0]), b = pl_sum_of(r, node->kids[1]);
  const pl_iform *left = pl_sum_linear(r, &a), *right = pl_sum_linear(r, &b);
  bool whole = is_whole(node->kids[0]->type) && is_whole(node->kids[1]->type);
  const int one = whole ? signed_side(r, node, &a, &b) : -1;
  if (whole && one < 0) {
    left = as_operand(r, &a, left, node->kids[0]->type, common_kind(node));
    right = as_operand(r, &b, right, node->kids[1]->type, common_kind(node));
  } else if (one >= 0) {
    r->wraps |= sum_has_turns(r, one ? &b : &a);
  }
  if (!whole || !left || !right)
    return is_true(r, node);
  noted(r, &a, NULL);
  return noted(r, &b, compared_beside(r, node, left, right, one));
}

const pl_iset *pl_cell_condition(pl_cell_reading *r, pl_node *node) {
  node = pl_node_bare(node);
  const pl_iset *all = pl_iset_all(r->ints);
  if (node->has_ival)
    return node->ival ? all : pl_iset_minus(all, all);
  if (node->kind == PL_NODE_UNARY && node->op == PL_OP_LNOT)
    return pl_iset_minus(all, pl_cell_condition(r, node->kids[0]));
  if (node->kind == PL_NODE_REF && node->decl) {
    int ahead;
    pl_node *init = pl_cell_beginning(r, node, &ahead);
    const pl_iset *found = init ? pl_cell_condition(r, init) : NULL;
    r->ahead = ahead;
    return found ? found : is_true(r, node);
  }
  if (node->kind == PL_NODE_CALL) {
    pl_cell_call call;
    pl_node *value = pl_enter_value(r, node, &call);
    const pl_iset *found = value ? pl_cell_condition(r, value) : NULL;
    if (value)
      pl_leave_call(r, &call);
    return found ? found : is_true(r, node);
  }
  if (node->kind != PL_NODE_BINARY)
    return is_true(r, node);
  if (node->op == PL_OP_LAND)
    return pl_iset_and(pl_cell_condition(r, node->kids[0]),
                       pl_cell_condition(r, node->kids[1]));
  if (node->op == PL_OP_LOR)
    return pl_iset_or(pl_cell_condition(r, node->kids[0]),
                      pl_cell_condition(r, node->kids[1]));
  return node->op < PL_OP_LT || node->op > PL_OP_NE ? is_true(r, node)
                                                    : compared(r, node);
}
