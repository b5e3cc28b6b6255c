/* events_cell_terms.c - expressions of a load that are no sums, by what they are made of.
 *
 * Needs: a tree, and what is known of its variables. Gives: a number for each expression,
 * the same for those that are made of the same (Alpern, Wegman and Zadeck's value
 * numbering, POPL 1988). Raises: nothing. */
#include "effects.h"
#include "events_cells.h"
#include "sets.h"

#include <string.h>

static const pl_cell_sum unknown;

#define OF_TURNS "in turn @"

/* ---- the table ---------------------------------------------------------------------- */

static bool has_symbol(const pl_cell_sum *s, pl_str symbol, const pl_iform **by) {
  for (size_t i = 0; i < s->n; i++)
    if (pl_str_eq(s->items[i].symbol, symbol)) {
      *by = s->items[i].by;
      return true;
    }
  return false;
}

bool pl_same_sum(const pl_cell_sum *a, const pl_cell_sum *b, const pl_iset *within) {
  if (a->n != b->n)
    return false;
  for (size_t i = 0; i < a->n; i++) {
    const pl_iform *by = a->items[i].by, *other = NULL;
    if (!has_symbol(b, a->items[i].symbol, &other) ||
        (by != other && pl_iset_is_empty(pl_iset_and(
                            within, pl_iset_compare(by, PL_OP_NE, other))) != PL_YES))
      return false;
  }
  return true;
}

/* The number of a symbol that is a term; false: it is a name. */
static bool is_term(pl_str symbol, size_t *number) {
  *number = 0;
  bool digits = symbol.n > 1 && symbol.p[0] == '#';
  for (size_t i = 1; i < symbol.n && digits; i++) {
    digits = symbol.p[i] >= '0' && symbol.p[i] <= '9';
    *number = 10 * *number + (size_t)(symbol.p[i] - '0');
  }
  return digits;
}

const pl_cell_made *pl_cell_choice(const pl_cell_reading *r, const pl_cell_sum *s) {
  size_t term;
  bool one = s->is_known && s->n == 1 && s->items[0].is_number && s->items[0].number == 1 &&
             is_term(s->items[0].symbol, &term);
  return one && r->terms->items[term].where ? &r->terms->items[term] : NULL;
}

/* A label ends in the type of what it gives. */
bool pl_sum_is_truth(const pl_cell_reading *r, const pl_cell_sum *s) {
  size_t term;
  if (!s->is_known || s->n != 1 || !s->items[0].is_number || s->items[0].number != 1 ||
      !is_term(s->items[0].symbol, &term))
    return false;
  pl_str label = r->terms->items[term].label, type = PL_STR(" bool");
  return label.n > type.n &&
         pl_str_eq((pl_str){label.p + label.n - type.n, type.n}, type);
}

bool pl_form_has_turns(const pl_cell_reading *r, const pl_iform *form) {
  for (int i = 0; i < r->most_loops; i++)
    if (pl_iform_has(form, pl_arena_printf(r->arena, "n%d", i).p))
      return true;
  for (int i = 0; i < r->counters; i++)
    if (pl_iform_has(form, pl_arena_printf(r->arena, "m%d", i).p))
      return true;
  return false;
}

/* The variable that a name begins with: `loader` of `*&loader+8`. */
static pl_str name_of_root(pl_str name) {
  while (name.n && (name.p[0] == '*' || name.p[0] == '&'))
    name = (pl_str){name.p + 1, name.n - 1};
  const char *offset = name.n ? memchr(name.p, '+', name.n) : NULL;
  return offset ? (pl_str){name.p, (size_t)(offset - name.p)} : name;
}

/* The terms in a sum: whether there are any, and some that hang on turns, or, as names may,
 * on threads. */
static bool find_terms(const pl_cell_reading *r, const pl_cell_sum *s, bool *turns,
                       bool *threads) {
  bool found = false;
  size_t number;
  for (size_t i = 0; i < s->n; i++)
    for (pl_str rest = s->items[i].symbol; rest.n;) {
      pl_str name = pl_next_name(&rest);
      if (is_term(name, &number)) {
        found = true;
        *turns |= r->terms->items[number].has_turns;
        *threads |= r->terms->items[number].has_threads;
      } else {
        *threads |= pl_cell_name_differs(r, name_of_root(name));
      }
    }
  return found;
}

bool pl_sum_has_terms(const pl_cell_reading *r, const pl_cell_sum *s, bool *turns) {
  bool threads = false;
  return find_terms(r, s, turns, &threads);
}

bool pl_sum_differs(const pl_cell_reading *r, const pl_cell_sum *s, bool *turns) {
  bool threads = false, own = false;
  find_terms(r, s, &own, &threads);
  *turns |= own;
  return threads || own;
}

/* ---- alignment ------------------------------------------------------------------------- */

typedef struct narrowing {
  const pl_decl *decl;
  bool sets, widens;
} narrowing;

static void note_set(pl_decl *decl, void *context) {
  narrowing *n = context;
  n->sets |= decl == n->decl;
}

/* `v = v && ...` */
static bool narrows(const pl_node *node, const pl_decl *decl) {
  const pl_node *value = node->kind == PL_NODE_ASSIGN && node->op == PL_OP_ASSIGN &&
                                 pl_names_var(pl_node_bare(node->kids[0]), decl)
                             ? pl_node_bare(node->kids[1]) : NULL;
  bool both = value && value->kind == PL_NODE_BINARY && value->op == PL_OP_LAND;
  while (value && value->kind == PL_NODE_BINARY && value->op == PL_OP_LAND)
    value = pl_node_bare(value->kids[0]);
  return both && pl_names_var(value, decl);
}

static bool find_widening(pl_node *node, void *context) {
  narrowing *n = context;
  n->sets = false;
  if (node->kind != PL_NODE_LAMBDA && node->kind != PL_NODE_VAR && !narrows(node, n->decl))
    n->widens |= !pl_each_set(node, note_set, n) || n->sets;
  return !n->widens;
}

/* Whether a truth is never set but to be false. */
static bool is_never_widened(const pl_decl *decl) {
  narrowing n = {.decl = decl};
  if (decl->owner && decl->owner->body)
    pl_node_walk(decl->owner->body, find_widening, &n);
  return decl->owner && decl->owner->body && !n.widens;
}

/* Whether what a term leaves over, divided by a multiple of a power of two, is asked to be zero:
 * `(int)(scale * n) % 16 == 0`. */
static bool leaves_nothing(const pl_cell_reading *r, pl_str term, int64_t by) {
  const pl_cell_sum own = pl_symbol_sum(r, term);
  for (size_t i = 0; i < r->terms->n; i++) {
    const pl_cell_made *made = &r->terms->items[i];
    int64_t divisor;
    if (!pl_str_starts(made->label, "% ") || made->nparts != 2 ||
        !pl_sum_is_number(&made->parts[1], &divisor) || divisor % by ||
        !pl_same_sum(&made->parts[0], &own, r->path))
      continue;
    const pl_iform *rest =
        pl_iform_name(r->ints, pl_arena_printf(r->arena, "$#%zu", i).p);
    if (pl_iset_is_subset(r->path, pl_iset_compare(rest, PL_OP_EQ,
                                                   pl_iform_number(r->ints, 0))) == PL_YES)
      return true;
  }
  return false;
}

/* Whether a product of names is a multiple, as its names are of powers of two. */
static bool is_multiple(const pl_cell_reading *r, const pl_cell_term *t, int64_t by) {
  const pl_iform *zero = pl_iform_number(r->ints, 0);
  for (pl_str rest = t->symbol; rest.n && by > 1;) {
    pl_str name = pl_next_name(&rest);
    const pl_iform *form = pl_iform_name(
        r->ints, pl_arena_printf(r->arena, "$%.*s", PL_FMT(name)).p);
    int64_t own = by;
    size_t number;
    bool term = is_term(name, &number);
    while (own > 1 && !(term && leaves_nothing(r, name, own)) &&
           pl_iset_is_subset(r->path, pl_iset_compare(pl_iform_mod(form, own),
                                                      PL_OP_EQ, zero)) != PL_YES)
      own /= 2;
    by /= own;
  }
  return by == 1 || pl_iset_is_subset(r->path, pl_iset_compare(pl_iform_mod(t->by, by),
                                                               PL_OP_EQ, zero)) == PL_YES;
}

bool pl_begins_at_multiple(const pl_cell_reading *r, const pl_cell_sum *s, int64_t by) {
  bool all = s->is_known;
  for (size_t i = 0; i < s->n && all; i++)
    all = is_multiple(r, &s->items[i], by);
  return all;
}

/* Whether `(size_t)p` is the address of a root, or so many bytes from it that a multiple
 * there is one here. */
static bool is_address_beside(pl_cell_reading *r, pl_node *address, pl_str root, int64_t by) {
  address = pl_node_bare(address);
  pl_node *pointer = address->kind == PL_NODE_CAST ? pl_node_bare(address->kids[0]) : NULL;
  pl_cell_place place = pointer ? pl_place_led_to(r, pointer) : (pl_cell_place){0};
  return place.is_known && !place.object && !place.local && pl_str_eq(place.root, root) &&
         pl_begins_at_multiple(r, &place.at, by);
}

/* `... && (size_t)p % 16 == 0` */
bool pl_asks_for_address(pl_cell_reading *r, pl_node *node, pl_str root, int64_t by) {
  node = pl_node_bare(node);
  if (node->kind == PL_NODE_REF && node->decl && pl_beginning_of(node))
    return pl_asks_for_address(r, pl_beginning_of(node), root, by);
  if (node->kind == PL_NODE_REF && node->decl && node->decl->init)
    return is_never_widened(node->decl) && pl_asks_for_address(r, node->decl->init, root, by);
  if (node->kind != PL_NODE_BINARY)
    return false;
  if (node->op == PL_OP_LAND)
    return pl_asks_for_address(r, node->kids[0], root, by) ||
           pl_asks_for_address(r, node->kids[1], root, by);
  const pl_node *rest = node->op == PL_OP_EQ ? pl_node_bare(node->kids[0]) : NULL;
  return rest && rest->kind == PL_NODE_BINARY && rest->op == PL_OP_REM &&
         pl_node_is_zero(node->kids[1]) && rest->kids[1]->has_ival &&
         rest->kids[1]->ival % by == 0 && is_address_beside(r, rest->kids[0], root, by);
}

bool pl_is_aligned(pl_cell_reading *r, const pl_cell_place *to,
                   const pl_cell_place *from, int64_t by) {
  const pl_cell_object *o = &r->loop->objects[to->object];
  const pl_type *type = to->object && o->after ? o->after->type : NULL;
  while (type && type->kind == PL_TYPE_ARRAY)
    type = type->element;
  bool object = type && (o->after->align_attr >= by || type->align >= by) && o->decl->type &&
                o->decl->type->size % by == 0;
  return object && pl_begins_at_multiple(r, &to->at, by) &&
         pl_begins_at_multiple(r, &from->at, by) && r->choice &&
         pl_asks_for_address(r, r->choice, from->root, by);
}

/* ---- patterns --------------------------------------------------------------------------- */

typedef struct spread {
  const pl_cell_reading *reading;
  pl_cell_pattern *made;
  pl_text text;
  const char *prefix;
  int holes;
} spread;

static void say(spread *s, const char *words) {
  pl_text_add(&s->text, (pl_str){words, strlen(words)});
}

static void spread_sum(spread *s, const pl_cell_sum *sum);

static void spread_term(spread *s, size_t number) {
  const pl_cell_made *made = &s->reading->terms->items[number];
  /* What a turn makes of it is asked of all turns: numbers of one do not tell that. */
  s->made->is_known &= !made->where && !pl_str_starts(made->label, OF_TURNS);
  s->made->is_own |= made->tells_threads;
  pl_text_add(&s->text, made->label);
  say(s, "(");
  for (size_t i = 0; i < made->nparts && s->made->is_known; i++)
    spread_sum(s, &made->parts[i]);
  say(s, ")");
}

static void note_names(spread *s, pl_str product) {
  while (product.n)
    s->made->is_own |= pl_cell_name_differs(s->reading, name_of_root(pl_next_name(&product)));
}

/* What has no terms is a number of the pattern for each product of names. */
static void spread_names(spread *s, const pl_cell_term *items, size_t n) {
  pl_arena *arena = s->reading->arena;
  for (size_t i = 0; i < n; i++)
    note_names(s, items[i].symbol);
  for (size_t i = 0; i < n; i++)
    PL_PUSH(arena, s->made->items, s->made->n, s->made->cap,
            ((pl_cell_term){pl_arena_printf(arena, "%s%d:%.*s", s->prefix, s->holes,
                                            PL_FMT(items[i].symbol)),
                            items[i].by, items[i].is_number, items[i].number}));
  s->holes++;
  say(s, "?");
}

/* `#2*ldb`, as many times as that is. */
static void spread_product(spread *s, const pl_cell_term *t) {
  const pl_cell_term times = {PL_STR(""), t->by, t->is_number, t->number};
  spread_names(s, &times, 1);
  note_names(s, t->symbol);
  for (pl_str rest = t->symbol; rest.n;) {
    pl_str name = pl_next_name(&rest);
    size_t number;
    say(s, "*");
    if (is_term(name, &number))
      spread_term(s, number);
    else
      pl_text_add(&s->text, name);
  }
}

static void spread_sum(spread *s, const pl_cell_sum *sum) {
  pl_cell_sum rest = {.is_known = true};
  if (sum->is_widened)
    say(s, "widened ");
  for (size_t i = 0; i < sum->n && s->made->is_known; i++) {
    const pl_cell_sum one = {.is_known = true, .items = {sum->items[i]}, .n = 1};
    bool turns;
    if (pl_sum_has_terms(s->reading, &one, &turns))
      spread_product(s, &sum->items[i]);
    else
      rest.items[rest.n++] = sum->items[i];
  }
  spread_names(s, rest.items, rest.n);
}

static const char *written(const spread *s) {
  return pl_arena_cstr(s->reading->arena, pl_text_view(&s->text));
}

/* A term that a set has in it, by a name that says what is done to which numbers. */
static void spread_condition(pl_cell_reading *r, pl_cell_pattern *made, size_t number) {
  spread s = {.reading = r, .made = made, .text = {.arena = r->arena}, .prefix = ""};
  const char *own = pl_arena_printf(r->arena, "$#%zu", number).p, *name = own;
  if (!pl_iset_has(made->within, own))
    return;
  size_t before = made->n;
  spread_term(&s, number);
  for (int i = 0; name == own || pl_iset_has(made->within, name); i++)
    name = pl_arena_printf(r->arena, "%d if %s ", i, written(&s)).p;
  made->within = pl_iset_renamed(made->within, own, name);
  for (size_t i = before; i < made->n; i++)
    made->items[i].symbol = pl_arena_printf(r->arena, "%s%.*s", name,
                                            PL_FMT(made->items[i].symbol));
}

pl_cell_pattern pl_pattern_of(pl_cell_reading *r, const pl_cell_fill *f) {
  pl_cell_pattern made = {.is_known = true, .within = f->within};
  spread s = {.reading = r, .made = &made, .text = {.arena = r->arena}, .prefix = "of "};
  size_t root;
  spread_sum(&s, &f->to);
  say(&s, " gets ");
  if (is_term(f->from, &root))
    spread_term(&s, root);
  else
    pl_text_add(&s.text, f->from);
  note_names(&s, f->from);
  for (size_t i = 0; i < r->nnamed_vars; i++)
    made.is_own |= r->named_vars[i].differs &&
                   pl_iset_has(f->within, pl_arena_printf(r->arena, "$%.*s",
                                                       PL_FMT(r->named_vars[i].decl->name)).p);
  say(&s, " at ");
  spread_sum(&s, &f->at);
  made.text = pl_arena_printf(r->arena, "%lld bytes of %s", (long long)f->width,
                              written(&s));
  for (size_t i = 0; i < r->terms->n && made.is_known; i++)
    spread_condition(r, &made, i);
  return made;
}

/* ---- numbers ---------------------------------------------------------------------------- */

static bool is_part_alike(const pl_cell_made *a, size_t i, const pl_cell_made *b, size_t k,
                          const pl_iset *all) {
  if (a->parts[i].is_widened != b->parts[k].is_widened)
    return false;
  if (!a->where)
    return pl_same_sum(&a->parts[i], &b->parts[k], all);
  const pl_iset *one = a->where[i], *other = b->where[k];
  return pl_same_sum(&a->parts[i], &b->parts[k], one) &&
         (one == other || (pl_iset_is_subset(one, other) == PL_YES &&
                           pl_iset_is_subset(other, one) == PL_YES));
}

/* Arms may come in any order. */
static bool is_made_alike(const pl_cell_reading *r, const pl_cell_made *a,
                          const pl_cell_made *b) {
  const pl_iset *all = pl_iset_all(r->ints);
  if (a->nparts != b->nparts || !a->where != !b->where || !pl_str_eq(a->label, b->label))
    return false;
  for (size_t i = 0; i < a->nparts; i++) {
    bool alike = is_part_alike(a, i, b, i, all);
    for (size_t k = 0; a->where && k < b->nparts && !alike; k++)
      alike = is_part_alike(a, i, b, k, all);
    if (!alike)
      return false;
  }
  return true;
}

static pl_cell_sum numbered(pl_cell_reading *r, const pl_cell_made *made) {
  pl_cell_terms *t = r->terms;
  size_t i = 0;
  while (i < t->n && !is_made_alike(r, &t->items[i], made))
    i++;
  if (i == t->n) {
    pl_cell_made kept = *made;
    pl_cell_sum *parts = PL_NEW_ARRAY(r->arena, pl_cell_sum, made->nparts + 1);
    for (size_t k = 0; k < made->nparts; k++) {
      parts[k] = made->parts[k];
      find_terms(r, &parts[k], &kept.has_turns, &kept.has_threads);
      for (size_t j = 0; j < parts[k].n; j++) {
        kept.has_turns |= pl_form_has_turns(r, parts[k].items[j].by);
        for (int axis = 0; axis < PL_CELL_AXES; axis++)
          kept.has_threads |= pl_iform_has(parts[k].items[j].by, pl_cell_threads[axis]);
      }
    }
    kept.parts = parts;
    kept.has_turns |= made->where != NULL && r->most_loops;
    kept.has_threads |= made->where != NULL;
    PL_PUSH(r->arena, t->items, t->n, t->cap, kept);
  }
  pl_cell_sum sum = pl_number_sum(r, 1);
  sum.items[0].symbol = pl_arena_printf(r->arena, "#%zu", i);
  return sum;
}

pl_cell_sum pl_term(pl_cell_reading *r, pl_str label, const pl_cell_sum *parts, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!parts[i].is_known)
      return unknown;
  return numbered(r, &(pl_cell_made){.label = label, .parts = parts, .nparts = n});
}

pl_cell_sum pl_term_by(pl_cell_reading *r, const pl_node *node, pl_str label,
                       const pl_cell_sum *parts, size_t n) {
  pl_cell_sum made = pl_term(r, label, parts, n);
  size_t number;
  if (made.is_known && pl_tells_threads_apart(r->unit, node) &&
      is_term(made.items[0].symbol, &number))
    r->terms->items[number].tells_threads = r->terms->items[number].has_threads = true;
  return made;
}

pl_cell_sum pl_term_of_arms(pl_cell_reading *r, const pl_cell_sum *arms,
                            const pl_iset *const *where, size_t n) {
  const pl_iset **kept = PL_NEW_ARRAY(r->arena, const pl_iset *, n + 1);
  for (size_t i = 0; i < n; i++)
    kept[i] = pl_iset_within(where[i], r->path);
  return numbered(r, &(pl_cell_made){.label = PL_STR("one of"), .parts = arms,
                                     .nparts = n, .where = kept});
}

pl_cell_sum pl_term_of_turns(pl_cell_reading *r, size_t which, const pl_cell_sum *parts, size_t n) {
  return pl_term(r, pl_arena_printf(r->arena, OF_TURNS "%zu", which), parts, n);
}

static pl_str renamed_name(pl_cell_reading *r, pl_str name, const char *from,
                           const char *to) {
  size_t number;
  if (!is_term(name, &number) || !r->terms->items[number].has_turns)
    return name;
  pl_cell_made made = r->terms->items[number];
  pl_cell_sum *parts = PL_NEW_ARRAY(r->arena, pl_cell_sum, made.nparts + 1);
  const pl_iset **where = PL_NEW_ARRAY(r->arena, const pl_iset *, made.nparts + 1);
  for (size_t i = 0; i < made.nparts; i++) {
    parts[i] = pl_sum_renamed(r, &made.parts[i], from, to);
    where[i] = made.where ? pl_iset_renamed(made.where[i], from, to) : NULL;
  }
  made.parts = parts;
  made.where = made.where ? where : NULL;
  return numbered(r, &made).items[0].symbol;
}

/* ... of each name of a product. */
static pl_str renamed_symbol(pl_cell_reading *r, pl_str symbol, const char *from,
                             const char *to) {
  pl_str made = {0};
  for (pl_str rest = symbol; rest.n;)
    made = pl_product_of(r, made, renamed_name(r, pl_next_name(&rest), from, to));
  return made;
}


pl_cell_sum pl_sum_renamed(pl_cell_reading *r, const pl_cell_sum *s, const char *from,
                           const char *to) {
  pl_cell_sum made = *s;
  for (size_t i = 0; i < made.n; i++) {
    made.items[i].symbol = renamed_symbol(r, made.items[i].symbol, from, to);
    made.items[i].by = pl_iform_renamed(made.items[i].by, from, to);
  }
  return made;
}

/* ---- terms in sets ----------------------------------------------------------------------- */

static bool symbol_hangs_on(const pl_cell_reading *r, pl_str symbol, const char *name);

bool pl_sum_hangs_on(const pl_cell_reading *r, const pl_cell_sum *s, const char *name) {
  bool found = false;
  for (size_t i = 0; i < s->n && !found; i++)
    found = pl_iform_has(s->items[i].by, name) || symbol_hangs_on(r, s->items[i].symbol, name);
  return found;
}

/* Whether a product has a term in it that may change with a name. */
static bool symbol_hangs_on(const pl_cell_reading *r, pl_str symbol, const char *name) {
  bool found = false;
  size_t number;
  for (pl_str rest = symbol; rest.n && !found;) {
    if (!is_term(pl_next_name(&rest), &number))
      continue;
    const pl_cell_made *made = &r->terms->items[number];
    for (size_t i = 0; i < made->nparts && !found; i++)
      found = pl_sum_hangs_on(r, &made->parts[i], name) ||
              (made->where && pl_iset_has(made->where[i], name));
  }
  return found;
}

const pl_iset *pl_cell_set_renamed(pl_cell_reading *r, const pl_iset *set, const char *from,
                                   const char *to) {
  const pl_cell_terms *t = r->terms;
  for (size_t i = 0, n = t->nnames; i < n; i++) {
    const char *name = t->names[i];
    const pl_str symbol = {name + 1, strlen(name) - 1};
    if (!pl_str_has(symbol, "#") || !pl_iset_has(set, name) || !symbol_hangs_on(r, symbol, from))
      continue;
    pl_cell_sum own = pl_symbol_sum(r, symbol), other = pl_sum_renamed(r, &own, from, to);
    const pl_iset *same = pl_iset_compare(pl_sum_linear(r, &own), PL_OP_EQ,
                                          pl_sum_linear(r, &other));
    set = pl_iset_project(pl_iset_and(set, same), &name, 1);
  }
  return pl_iset_renamed(set, from, to);
}

static void add_name(const pl_cell_reading *r, const char ***to, size_t *n, const char *name) {
  const char **all = PL_NEW_ARRAY(r->arena, const char *, *n + 1);
  for (size_t i = 0; i < *n; i++)
    all[i] = (*to)[i];
  all[(*n)++] = name;
  *to = all;
}

/* Terms in either of two sets that may change with some of the names are names as well. */
static void add_terms(const pl_cell_reading *r, const pl_iset *a, const pl_iset *b,
                      const char ***to, size_t *n) {
  size_t names = *n;
  for (size_t i = 0; i < r->terms->nnames; i++) {
    const char *name = r->terms->names[i];
    bool hangs = false;
    for (size_t k = 0; k < names && !hangs && (pl_iset_has(a, name) || pl_iset_has(b, name)); k++)
      hangs = symbol_hangs_on(r, (pl_str){name + 1, strlen(name) - 1}, (*to)[k]);
    if (hangs)
      add_name(r, to, n, name);
  }
}

const pl_iset *pl_cell_set_at_ends(const pl_cell_reading *r, const pl_iset *set,
                                   const pl_iset *but) {
  for (size_t i = r->nends; i-- > 0;) {
    const pl_cell_ends *e = &r->ends[i];
    const char **gone = NULL;
    size_t n = 0;
    if ((!pl_iset_has(set, e->last) && !pl_iset_has(set, e->ahead)) ||
        (but && (pl_iset_has(but, e->last) || pl_iset_has(but, e->ahead))))
      continue;
    add_name(r, &gone, &n, e->last);
    add_name(r, &gone, &n, e->ahead);
    add_terms(r, set, e->there, &gone, &n);
    set = pl_iset_minus(pl_iset_all(r->ints),
                        pl_iset_project(pl_iset_minus(e->there, set), gone, n));
  }
  return set;
}

/* ---- what lies where ------------------------------------------------------------------ */

static pl_cell_sum value_of(pl_cell_reading *r, const pl_cell_fill *f) {
  if (pl_str_is(f->from, "~"))
    return f->at;
  if (pl_str_is(f->from, "=0"))
    return pl_number_sum(r, 0);
  if (pl_str_starts(f->from, "="))
    return pl_term(r, (pl_str){f->from.p + 1, f->from.n - 1}, NULL, 0);
  return pl_term(r, pl_arena_printf(r->arena, "%lld at %.*s", (long long)f->width,
                                    PL_FMT(f->from)),
                 &f->at, 1);
}

pl_cell_sum pl_cell_slice(pl_cell_reading *r, const pl_cell_fill *f, int64_t from, int64_t n) {
  const pl_cell_sum all = value_of(r, f);
  pl_cell_fill part = *f;
  if (from == 0 && n == f->width)
    return all;
  if (pl_str_is(f->from, "=0"))
    return pl_number_sum(r, 0);
  if (f->from.n && f->from.p[0] != '=' && f->from.p[0] != '~') {
    part.at = pl_sum_add(f->at, pl_number_sum(r, from), 1);
    part.width = n;
    return value_of(r, &part);
  }
  return pl_term(r, pl_arena_printf(r->arena, "%lld of %lld bytes from %lld", (long long)n,
                                    (long long)f->width, (long long)from), &all, 1);
}

/* Numbers of a variable, each where it was given that: one form of all. NULL: they have none. */
static const pl_iform *form_of_arms(const pl_cell_reading *r, const pl_decl *local,
                                    const pl_cell_sum *arms, const pl_iset *const *where,
                                    size_t n) {
  const pl_iform *made = pl_is_wide_integer(local->type) ? pl_sum_affine(r, &arms[n - 1]) : NULL;
  for (size_t i = n - 1; i-- > 0 && made;) {
    const pl_iform *arm = pl_sum_affine(r, &arms[i]);
    made = arm ? pl_iform_choose(where[i], arm, made) : NULL;
  }
  return made;
}

static bool ends_by(const pl_cell_reading *r, const char *name) {
  for (size_t i = 0; i < r->nends; i++)
    if (!strcmp(r->ends[i].last, name) || !strcmp(r->ends[i].ahead, name))
      return true;
  return false;
}

/* Whether a fill, which each of some turns makes, is at a place in those that have the numbers of
 * the turns around: it is that one then. */
static bool is_of_turn(pl_cell_reading *r, pl_cell_fill *f, const pl_cell_place *at, int first) {
  if (pl_same_sum(&f->to, &at->at, r->path))
    return true;
  for (int i = first; i < r->counters; i++) {
    const char *name = pl_arena_printf(r->arena, "m%d", i).p;
    if (ends_by(r, name) || !pl_sum_hangs_on(r, &f->to, name))
      continue;
    for (int k = 0; k < r->loops; k++) {
      const char *own = pl_arena_printf(r->arena, "n%d", k).p;
      pl_cell_fill one = *f;
      one.to = pl_sum_renamed(r, &f->to, name, own);
      one.at = pl_sum_renamed(r, &f->at, name, own);
      one.within = pl_cell_set_renamed(r, f->within, name, own);
      if (pl_sum_hangs_on(r, &at->at, own) && is_of_turn(r, &one, at, i + 1)) {
        *f = one;
        return true;
      }
    }
  }
  return false;
}

/* Whether a fill has some of the names that were given last. */
static bool names_any(const pl_cell_reading *r, const pl_cell_fill *f, int first) {
  bool found = false;
  for (int i = first; i < r->counters && !found; i++) {
    const char *name = pl_arena_printf(r->arena, "m%d", i).p;
    found = pl_iset_has(f->within, name) || pl_sum_hangs_on(r, &f->to, name) ||
            pl_sum_hangs_on(r, &f->at, name);
  }
  return found;
}

/* Where some turn of a fill meets a place, by the names of what is around. */
static const pl_iset *meeting(const pl_cell_reading *r, const pl_cell_fill *f,
                              const pl_cell_sum *since, int64_t size) {
  const char **gone = PL_NEW_ARRAY(r->arena, const char *, r->counters + 1);
  size_t n = 0;
  const pl_iset *both = pl_iset_and(pl_iset_and(r->path, f->within),
                                    pl_cell_overlap(r, since, f->width, size));
  for (int i = 0; i < r->counters; i++)
    if (pl_sum_hangs_on(r, &f->to, pl_arena_printf(r->arena, "m%d", i).p))
      gone[n++] = pl_arena_printf(r->arena, "m%d", i).p;
  return n ? pl_iset_project(both, gone, n) : both;
}

/* What a variable was given, last where that is sure to be: something, wherever this is.
 * `else_is`: what it has held where it was given nothing. */
static pl_cell_sum of_local(pl_cell_reading *r, const pl_cell_place *place, pl_cell_sum else_is) {
  pl_cell_sum parts[PL_CELL_PARTS];
  const pl_iset *where[PL_CELL_PARTS], *left = r->path;
  size_t n = 0;
  for (size_t i = r->nfills; i-- > 0;) {
    if (r->fills[i].local != place->local)
      continue;
    pl_cell_fill own = r->fills[i], *f = &own;
    const int first = r->counters;
    bool ended = pl_cell_of_ended(r, f);
    pl_cell_sum since = pl_sum_add(place->at, f->to, -1);
    int64_t from;
    bool apart = pl_sum_is_number(&since, &from) && (from + place->size <= 0 || from >= f->width);
    apart = apart || pl_iset_is_empty(pl_iset_and(r->path, f->within)) == PL_YES;
    const pl_iset *meets = ended && !apart ? meeting(r, f, &since, place->size) : NULL;
    if (apart || (ended && pl_iset_is_empty(meets) == PL_YES)) {
      r->counters = first;
      continue;
    }
    bool same = f->width == place->size && is_of_turn(r, f, place, 0);
    bool within = same || (pl_sum_is_number(&since, &from) && from >= 0 &&
                           from + place->size <= f->width);
    within &= !ended || pl_iset_is_subset(meets, f->within) == PL_YES;
    r->counters = names_any(r, f, first) ? r->counters : first;
    if (n == PL_CELL_PARTS || !within)
      return unknown;
    parts[n] = pl_cell_slice(r, f, same ? 0 : from, place->size);
    where[n] = pl_iset_and(r->path, f->within);
    if (!parts[n].is_known)
      return unknown;
    pl_cell_note_older(r, f, place);
    pl_cell_fill use = *f;
    use.within = where[n];
    PL_PUSH(r->arena, r->used, r->nused, r->used_cap, use);
    n++;
    left = pl_iset_minus(left, f->within);
    if (pl_iset_is_empty(left) == PL_YES)
      break;
  }
  if (pl_iset_is_empty(left) != PL_YES) {
    if (n == PL_CELL_PARTS || !else_is.is_known)
      return unknown;
    parts[n] = else_is;
    where[n++] = left;
  }
  const pl_iform *form = n > 1 ? form_of_arms(r, place->local, parts, where, n) : NULL;
  return n < 2 ? (n ? parts[0] : unknown)
         : form ? pl_form_sum(form) : pl_term_of_arms(r, parts, where, n);
}

pl_cell_sum pl_cell_held_by(pl_cell_reading *r, const pl_cell_place *place, pl_cell_sum began) {
  pl_cell_place own = *place;
  if (!place->of || place->local || !pl_cell_is_filled(r, place->of))
    return began;
  own.local = place->of;
  return r->ahead ? unknown : of_local(r, &own, began);
}

pl_cell_sum pl_content_of(pl_cell_reading *r, const pl_cell_place *place) {
  if (!place->is_known || !place->at.is_known)
    return unknown;
  if (place->local)
    return of_local(r, place, unknown);
  if (r->ahead)
    return unknown;
  pl_str root = place->object ? pl_arena_printf(r->arena, "object %zu", place->object)
                              : place->root;
  const pl_cell_fill read = {.from = root, .at = place->at, .width = place->size,
                             .within = r->path};
  if (!place->object)
    PL_PUSH(r->arena, r->seen, r->nseen, r->seen_cap, read);
  return pl_cell_held_by(r, place,
                         pl_term(r, pl_arena_printf(r->arena, "%lld at %.*s",
                                                    (long long)place->size, PL_FMT(root)),
                                 &place->at, 1));
}

#define ADDRESS "address in "

pl_cell_sum pl_cell_address(pl_cell_reading *r, const pl_cell_place *place) {
  bool known = place->is_known && !place->object && !place->local && place->at.is_known;
  return !known ? unknown
                : pl_term(r, pl_arena_printf(r->arena, ADDRESS "%.*s", PL_FMT(place->root)),
                          &place->at, 1);
}

bool pl_cell_is_address(const pl_cell_reading *r, const pl_cell_sum *value, pl_cell_place *to) {
  size_t term;
  if (!value->is_known || value->n != 1 || !value->items[0].is_number ||
      value->items[0].number != 1 || !is_term(value->items[0].symbol, &term) ||
      !pl_str_starts(r->terms->items[term].label, ADDRESS))
    return false;
  pl_str label = r->terms->items[term].label;
  *to = (pl_cell_place){.is_known = true, .root = {label.p + strlen(ADDRESS),
                                                   label.n - strlen(ADDRESS)},
                        .at = r->terms->items[term].parts[0]};
  return true;
}

/* ---- expressions ---------------------------------------------------------------------- */

bool pl_gives_alone(const pl_cell_reading *r, pl_node *call) {
  pl_effects effects = {0};
  pl_effects_of(r->effects, r->func, call, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *e = &effects.items[i];
    bool own = e->kind == PL_EFFECT_WRITE && e->space == PL_SPACE_LOCAL && e->root.decl &&
               pl_is_callees_own(r->func, e->root.decl, call);
    if (e->kind != PL_EFFECT_READ && !own)
      return false;
  }
  return true;
}

const char *pl_cell_kind_of(const pl_type *type) {
  type = type ? pl_no_reference(type) : NULL;
  if (!type || !pl_is_number_or_enum(type))
    return "";
  return type->kind == PL_TYPE_FLOAT ? "float" : type->kind == PL_TYPE_BOOL ? "truth"
         : type->is_unsigned         ? "unsigned" : "signed";
}

/* Its arguments' kinds say which one of several of its name. */
static pl_str label_of_call(const pl_cell_reading *r, const pl_node *node, pl_str type) {
  pl_str label = pl_arena_printf(r->arena, "%.*s%.*s", PL_FMT(pl_callee_name(node)),
                                 PL_FMT(pl_cell_arguments_of(r, node)));
  for (uint32_t i = 1; i < node->nkids; i++)
    label = pl_arena_printf(r->arena, "%.*s,%s", PL_FMT(label),
                            pl_cell_kind_of(node->kids[i] ? node->kids[i]->type : NULL));
  return pl_arena_printf(r->arena, "%.*s() %.*s", PL_FMT(label), PL_FMT(type));
}

static pl_str label_of(const pl_cell_reading *r, const pl_node *node) {
  pl_str type = node->type ? node->type->spelling : PL_STR("");
  switch (node->kind) {
  case PL_NODE_FLOATING:
  case PL_NODE_STRING:
  case PL_NODE_SIZEOF: return pl_unit_slice(r->unit, node->range);
  case PL_NODE_CALL:
    return label_of_call(r, node, type);
  case PL_NODE_MEMBER:
    return pl_arena_printf(r->arena, ".%.*s", PL_FMT(node->name));
  case PL_NODE_CAST:
    return pl_arena_printf(r->arena, "%s to %.*s",
                           pl_cell_kind_of(node->nkids ? node->kids[0]->type : NULL),
                           PL_FMT(type));
  case PL_NODE_UNARY:
  case PL_NODE_BINARY:
  case PL_NODE_CONSTRUCT:
  case PL_NODE_INIT_LIST:
    return pl_arena_printf(r->arena, "%s %s %.*s", pl_node_kind_name(node->kind),
                           pl_op_name(node->op), PL_FMT(type));
  default: return (pl_str){0};
  }
}

/* The name of a function, or of a method whose object is one part more. */
static uint32_t first_part(const pl_node *node) {
  return node->kind == PL_NODE_CALL &&
         (!node->kids[0] || pl_node_bare(node->kids[0])->kind != PL_NODE_MEMBER);
}

static pl_cell_sum part_of(pl_cell_reading *r, const pl_node *node, uint32_t i) {
  pl_node *kid = node->kids[i] ? pl_node_bare(node->kids[i]) : NULL;
  bool method = node->kind == PL_NODE_CALL && i == 0;
  if (!kid)
    return unknown;
  if (method)
    kid = pl_node_bare(kid->kids[0]);
  return pl_sum_of(r, kid);
}

pl_cell_sum pl_term_of(pl_cell_reading *r, pl_node *node) {
  pl_cell_sum parts[PL_CELL_PARTS];
  pl_str label = label_of(r, node);
  size_t n = 0;
  if (!label.n || node->op == PL_OP_COMMA || pl_node_is_step(node) ||
      (node->kind == PL_NODE_SIZEOF && !node->range.end) ||
      (node->kind == PL_NODE_CALL && (r->ahead || !node->nkids || !pl_gives_alone(r, node))))
    return unknown;
  if (node->kind != PL_NODE_SIZEOF)
    for (uint32_t i = first_part(node); i < node->nkids; i++) {
      if (n == PL_CELL_PARTS)
        return unknown;
      parts[n] = part_of(r, node, i);
      if (!parts[n++].is_known)
        return unknown;
    }
  return pl_term_by(r, node, pl_arena_printf(r->arena, "%.*s%.*s", PL_FMT(label),
                                             PL_FMT(r->made_for)), parts, n);
}
