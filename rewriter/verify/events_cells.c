/* events_cells.c - do the parts of a load fill the cells that the load filled, with what
 * it did?
 *
 * Needs: both trees. Gives: of each object whether the parts that the text loads a tile
 * in copy the same bytes to the same cells as the source's load, or that this is not
 * known. Raises: nothing.
 *
 * A load is a relation: of the bytes of an object, and what each gets, a constant or a
 * byte of what some pointer leads to. The threads of the block and the iterations of
 * loops inside do not count. */
#include "events_cells.h"
#include "remembered.h"

#include <string.h>

#define OPERATIONS 400000ul /* of isl, where each way is to be shown */
#define FEW_OPERATIONS 100000ul /* where it is looked for what is wrong alone */

enum { MOST_THREADS = 1024 }; /* of a block */

/* ---- relations ---------------------------------------------------------------------- */

typedef struct symbols {
  pl_str *items;
  size_t n, cap;
} symbols;

static void add_symbol(pl_arena *arena, symbols *all, pl_str symbol) {
  size_t k = 0;
  while (k < all->n && !pl_str_eq(all->items[k], symbol))
    k++;
  if (k == all->n)
    PL_PUSH(arena, all->items, all->n, all->cap, symbol);
}

static const pl_iset *between(const pl_iform *low, const pl_iform *what,
                              const pl_iform *end) {
  return pl_iset_and(pl_iset_compare(what, PL_OP_GE, low),
                     pl_iset_compare(what, PL_OP_LT, end));
}

/* The threads of a block, whose names are to go, along some axes. */
static const pl_iset *of_threads(const pl_cell_reading *r, int axes) {
  const pl_iset *set = pl_iset_all(r->ints);
  for (int i = 0; i < PL_CELL_AXES; i++)
    if (axes >> i & 1)
      set = pl_iset_and(set, between(pl_iform_number(r->ints, 0),
                                     pl_iform_name(r->ints, pl_cell_threads[i]),
                                     i < 3 && r->block[i]
                                         ? pl_iform_number(r->ints, r->block[i])
                                         : pl_iform_name(r->ints, pl_cell_sizes[i])));
  return set;
}

/* Of any iteration, and any thread. */
static const pl_iset *without_turns(const pl_cell_reading *r, const pl_iset *set,
                                    bool any_thread) {
  const char **gone =
      PL_NEW_ARRAY(r->arena, const char *, r->counters + r->most_loops + PL_CELL_AXES + 1);
  size_t n = 0;
  gone[n++] = "j";
  for (int i = 0; i < PL_CELL_AXES && any_thread; i++)
    gone[n++] = pl_cell_threads[i];
  for (int i = 0; i < r->most_loops; i++)
    gone[n++] = pl_arena_printf(r->arena, "n%d", i).p;
  for (int i = 0; i < r->counters; i++)
    gone[n++] = pl_arena_printf(r->arena, "m%d", i).p;
  return pl_iset_project(set, gone, n);
}

/* What measures both; 0: nothing yet. */
static int64_t common_measure(int64_t a, int64_t b) {
  while (a) {
    int64_t rest = b % a;
    b = a;
    a = rest;
  }
  return b;
}

/* Fills of one object, of a load and of its text, from one pointer or with one constant,
 * in units of so many bytes. */
typedef struct fills_from {
  size_t object;
  pl_str from;
  symbols symbols;
  int64_t unit;
  bool is_whole;   /* all begin at whole units of the object and of memory */
  bool any_thread; /* of a choice; else of each */
} fills_from;

static bool is_of(const fills_from *of, const pl_cell_fill *f) {
  return f->object == of->object && pl_str_eq(f->from, of->from);
}

/* Whether what it gets is bytes of memory; else a value. */
static bool is_copy(const pl_cell_fill *f) {
  return !f->from.n || (f->from.p[0] != '=' && f->from.p[0] != '~');
}

/* How often one of the symbols is in a sum; or (empty) what the rest of that makes. */
static const pl_iform *part_of_sum(const pl_cell_reading *r, const fills_from *of,
                                   const pl_cell_sum *s, pl_str symbol) {
  pl_cell_sum rest = {.is_known = true};
  for (size_t i = 0; i < s->n; i++) {
    bool own = false;
    for (size_t k = 0; k < of->symbols.n; k++)
      own |= of->symbols.items[k].n && pl_str_eq(of->symbols.items[k], s->items[i].symbol);
    if (own && pl_str_eq(s->items[i].symbol, symbol))
      return s->items[i].by;
    if (!own)
      rest.items[rest.n++] = s->items[i];
  }
  return symbol.n ? pl_iform_number(r->ints, 0) : pl_sum_linear(r, &rest);
}

static bool is_multiple(const pl_cell_reading *r, const pl_iform *form, int64_t of) {
  return pl_iset_is_empty(pl_iset_compare(pl_iform_mod(form, of), PL_OP_NE,
                                          pl_iform_number(r->ints, 0))) == PL_YES;
}

static bool begins_whole(const pl_cell_reading *r, const fills_from *of,
                         const pl_cell_fill *f) {
  bool whole = is_multiple(r, pl_sum_affine(r, &f->to), of->unit);
  for (size_t i = 0; i < of->symbols.n && is_copy(f) && whole; i++)
    whole = is_multiple(r, part_of_sum(r, of, &f->at, of->symbols.items[i]), of->unit);
  return whole;
}

/* A name, that some thread's or iteration's number of times is added: not one number for
 * all of them. */
static bool is_apart(const pl_cell_term *t) {
  return t->symbol.n && (!t->is_number || t->symbol.p[0] == '#' || pl_str_has(t->symbol, "*"));
}

static fills_from fills_of(const pl_cell_reading *const *both, size_t object,
                           pl_str from) {
  fills_from of = {.object = object, .from = from, .is_whole = true,
                   .any_thread = both[1]->is_choice};
  add_symbol(both[0]->arena, &of.symbols, (pl_str){0});
  for (int i = 0; i < 2; i++)
    for (size_t k = 0; k < both[i]->nfills; k++)
      if (is_of(&of, &both[i]->fills[k])) {
        for (size_t t = 0; t < both[i]->fills[k].at.n; t++)
          if (is_apart(&both[i]->fills[k].at.items[t]))
            add_symbol(both[i]->arena, &of.symbols, both[i]->fills[k].at.items[t].symbol);
        of.unit = common_measure(of.unit, both[i]->fills[k].width);
      }
  for (int i = 0; i < 2; i++)
    for (size_t k = 0; k < both[i]->nfills && of.is_whole; k++)
      of.is_whole = !is_of(&of, &both[i]->fills[k]) ||
                    begins_whole(both[i], &of, &both[i]->fills[k]);
  return of;
}

/* Over c, where each unit of the object begins, and one number for each symbol of what it
 * gets: in bytes, or, where all are whole ones, in units. */
static const pl_iset *relation_of(const pl_cell_reading *r, const fills_from *of,
                                  const pl_cell_fill *f) {
  int64_t measure = of->is_whole ? of->unit : 1;
  const pl_iform *zero = pl_iform_number(r->ints, 0), *count = pl_iform_name(r->ints, "j");
  const pl_iform *since = pl_iform_scale(count, of->unit / measure);
  const pl_iform *cell = pl_iform_floor(pl_sum_affine(r, &f->to), measure);
  const pl_iset *set = pl_iset_and(
      between(zero, count, pl_iform_number(r->ints, f->width / of->unit)),
      pl_iset_compare(pl_iform_name(r->ints, "c"), PL_OP_EQ, pl_iform_add(cell, since)));
  for (size_t i = 0; i < of->symbols.n; i++) {
    const pl_iform *by = part_of_sum(r, of, &f->at, of->symbols.items[i]);
    const char *name = pl_arena_printf(r->arena, "s%zu", i).p;
    if (is_copy(f))
      by = pl_iform_floor(by, measure);
    if (!of->symbols.items[i].n && is_copy(f))
      by = pl_iform_add(by, since);
    set = pl_iset_and(set, pl_iset_compare(pl_iform_name(r->ints, name), PL_OP_EQ, by));
  }
  const pl_iset *threads = of_threads(r, of->any_thread ? r->named : 0);
  return without_turns(r, pl_iset_and(pl_iset_and(set, f->within), threads), of->any_thread);
}

static const pl_iset *all_of(const pl_cell_reading *r, const fills_from *of) {
  const pl_iset *every = pl_iset_all(r->ints), *made = pl_iset_minus(every, every);
  for (size_t i = 0; i < r->nfills; i++)
    if (is_of(of, &r->fills[i]))
      made = pl_iset_or(made, relation_of(r, of, &r->fills[i]));
  return made;
}

/* Where all names are multiples of 16, as those of joined copies are that have to be some
 * number's, whether that is asked for or known. */
static const pl_iset *of_multiples(const pl_cell_reading *r) {
  const pl_iset *all = pl_iset_all(r->ints);
  for (size_t i = 0; i < r->terms->nnames; i++)
    all = pl_iset_and(
        all, pl_iset_compare(pl_iform_mod(pl_iform_name(r->ints, r->terms->names[i]), 16),
                             PL_OP_EQ, pl_iform_number(r->ints, 0)));
  return all;
}

/* A block has threads, and no more than the source's launch bounds say. */
static const pl_iset *of_blocks(const pl_cell_reading *r) {
  const pl_iset *any = r->terms->ranges ? r->terms->ranges : pl_iset_all(r->ints);
  int64_t bounds = r->loop->func->launch_bounds, most = bounds > 0 ? bounds : MOST_THREADS;
  for (int i = 0; i < PL_CELL_AXES; i++)
    if (r->axes >> i & 1)
      any = pl_iset_and(any, between(pl_iform_number(r->ints, 1),
                                     pl_iform_name(r->ints, pl_cell_sizes[i]),
                                     pl_iform_number(r->ints, most + 1)));
  return any;
}

/* Whether for each number of threads of a block something is in a set: launches, which
 * are not looked at, may leave some out. */
static bool is_for_any_block(const pl_cell_reading *a, const pl_cell_reading *b,
                             const pl_iset *set, const symbols *all) {
  size_t n = a->terms->nnames;
  for (size_t i = 0; i < n; i++)
    if (a->terms->names[i][1] == '#' && pl_iset_has(set, a->terms->names[i]))
      return false;
  const char **names = PL_NEW_ARRAY(a->arena, const char *, n + all->n + 1);
  for (size_t i = 0; i < n; i++)
    names[i] = a->terms->names[i];
  for (size_t i = 0; i < all->n; i++)
    names[n++] = pl_arena_printf(a->arena, "s%zu", i).p;
  names[n++] = "c";
  set = pl_iset_and(set, of_multiples(a));
  set = without_turns(a, without_turns(b, set, true), true);
  return pl_iset_is_subset(of_blocks(a), pl_iset_project(set, names, n)) == PL_YES;
}

/* ---- fills that are one ---------------------------------------------------------- */

static bool is_in(const pl_iset *set, const pl_iset *of) {
  return pl_iset_is_subset(set, of) == PL_YES;
}

static bool hangs_on(const pl_cell_reading *r, const pl_cell_fill *f, const char *name) {
  const pl_cell_sum root = pl_symbol_sum(r, f->from);
  return pl_sum_hangs_on(r, &f->to, name) || pl_sum_hangs_on(r, &f->at, name) ||
         pl_sum_hangs_on(r, &root, name);
}

/* Whether a fill, or where it is made, says in which turn a loop has ended. */
static bool tells_end(const pl_cell_reading *r, const pl_cell_fill *f, const pl_cell_ends *e) {
  return pl_iset_has(f->within, e->last) || pl_iset_has(f->within, e->ahead) ||
         hangs_on(r, f, e->last) || hangs_on(r, f, e->ahead);
}

/* Where a fill is made: by which turn of another loop a variable was set does not count, if
 * that does not say which fill it is. */
static const pl_iset *filled_in(const pl_cell_reading *r, const pl_cell_fill *f) {
  const char **gone = PL_NEW_ARRAY(r->arena, const char *, r->counters + 1);
  size_t n = 0;
  for (int i = 0; i < r->counters; i++) {
    const char *name = pl_arena_printf(r->arena, "m%d", i).p;
    bool ends = false;
    for (size_t k = 0; k < r->nends; k++)
      ends |= strcmp(r->ends[k].last, name) == 0 || strcmp(r->ends[k].ahead, name) == 0;
    if (!ends && pl_iset_has(f->within, name) && !hangs_on(r, f, name))
      gone[n++] = name;
  }
  return n ? pl_iset_project(f->within, gone, n) : f->within;
}

/* Some fills, and who makes them. */
typedef struct made_fills {
  const pl_cell_reading *by;
  const pl_cell_fill *items;
  size_t n;
} made_fills;

/* Less where another fill is made, in whatever turns the loops have ended that this hangs on
 * and the first one does not tell. */
static const pl_iset *less_filled(const pl_iset *left, const pl_cell_fill *f,
                                  const pl_cell_reading *by, const pl_cell_fill *g,
                                  const pl_iset *where) {
  for (size_t i = 0; i < by->nends; i++)
    if (tells_end(by, g, &by->ends[i]) && !tells_end(by, f, &by->ends[i]))
      left = pl_iset_and(left, by->ends[i].there);
  return pl_iset_minus(left, where);
}

/* What of a fill the same threads, in the same iterations, do not fill alike by some others. */
static const pl_iset *less_filled_by(const pl_iset *left, const pl_cell_fill *f,
                                     const made_fills *others) {
  for (size_t i = 0; i < others->n && pl_iset_is_empty(left) != PL_YES; i++) {
    const pl_cell_fill *g = &others->items[i];
    if (f->object != g->object || f->local != g->local || f->width != g->width ||
        !pl_str_eq(f->from, g->from))
      continue;
    bool anywhere = pl_same_sum(&f->to, &g->to, NULL) && pl_same_sum(&f->at, &g->at, NULL);
    const pl_iset *both = anywhere ? NULL : pl_iset_and(left, g->within);
    if (anywhere ||
        (pl_same_sum(&f->to, &g->to, both) && pl_same_sum(&f->at, &g->at, both)))
      left = less_filled(left, f, others->by, g, filled_in(others->by, g));
  }
  return left;
}

/* By the same thread, in the same iteration. */
static bool same_fill(const pl_cell_reading *r, const pl_cell_fill *a, const pl_cell_fill *b) {
  if (a->object != b->object || a->local != b->local || a->width != b->width ||
      !pl_str_eq(a->from, b->from))
    return false;
  const pl_iset *one = pl_iset_and(a->within, of_blocks(r)),
                *other = pl_iset_and(b->within, of_blocks(r));
  return is_in(one, other) && is_in(other, one) && pl_same_sum(&a->to, &b->to, one) &&
         pl_same_sum(&a->at, &b->at, one);
}

static pl_cell_sum in_turn(pl_cell_sum s, const char *from, const char *to) {
  for (size_t i = 0; i < s.n; i++)
    s.items[i].by = pl_iform_renamed(s.items[i].by, from, to);
  return s;
}

/* How a fill stands for a group of another one's: for those of `size` turns of a loop, which
 * the first makes at once (`by` is "j"), or in as many turns of a loop inside. */
typedef struct grouping {
  const char *turn, *by;
  int64_t size, width; /* ... each of so many bytes; 0: the turns inside say where it is */
} grouping;

/* Whether turn n of a loop fills what turns n * size + j of another one's fill, for each j
 * below that: each of those is one of these then. */
static bool same_group(const pl_cell_reading *r, const pl_cell_fill *wide,
                       const pl_cell_fill *narrow, grouping g) {
  const pl_iform *j = pl_iform_name(r->ints, g.by), *m = pl_iform_name(r->ints, "m");
  const pl_iset *below = between(pl_iform_number(r->ints, 0), j,
                                 pl_iform_number(r->ints, g.size)),
                *both = pl_iset_and(of_blocks(r), pl_iset_compare(
                    m, PL_OP_EQ,
                    pl_iform_add(pl_iform_scale(pl_iform_name(r->ints, g.turn), g.size), j)));
  const pl_iset *one = pl_iset_and(wide->within, both),
                *other = pl_iset_and(pl_iset_renamed(narrow->within, g.turn, "m"),
                                     pl_iset_and(both, below));
  if (g.width)
    one = pl_iset_and(one, below);
  pl_cell_sum since = pl_form_sum(pl_iform_scale(j, g.width)),
              to = pl_sum_add(wide->to, since, 1),
              at = is_copy(wide) ? pl_sum_add(wide->at, since, 1) : wide->at,
              narrow_to = in_turn(narrow->to, g.turn, "m"),
              narrow_at = in_turn(narrow->at, g.turn, "m");
  return pl_same_sum(&narrow_to, &to, one) && pl_same_sum(&narrow_at, &at, one) &&
         is_in(one, other) && is_in(other, one);
}

/* How many bytes at once something fills the object with. */
static int64_t widest(const pl_cell_reading *r, size_t object) {
  int64_t most = 0;
  for (size_t i = 0; i < r->nfills; i++)
    if (r->fills[i].object == object && r->fills[i].width > most)
      most = r->fills[i].width;
  return most;
}

static const char *turn_of(const pl_cell_reading *r, int loop) {
  return pl_arena_printf(r->arena, "n%d", loop).p;
}

/* ... of some loop, at once. */
static bool is_joined(const pl_cell_reading *r, const pl_cell_fill *wide,
                      const pl_cell_fill *narrow) {
  bool found = false;
  for (int i = 0; i < r->most_loops && !found && wide->width % narrow->width == 0; i++)
    found = pl_iset_has(narrow->within, turn_of(r, i)) &&
            same_group(r, wide, narrow, (grouping){turn_of(r, i), "j",
                                                   wide->width / narrow->width, narrow->width});
  return found;
}

/* ... in turns of a loop inside, of which there are so many. */
static bool is_nested(const pl_cell_reading *r, const pl_cell_fill *a, const pl_cell_fill *b,
                      int64_t turns) {
  bool found = false;
  for (int i = 1; i < r->most_loops && !found && turns > 1; i++) {
    const char *by = turn_of(r, i);
    bool nested = pl_iset_has(a->within, by);
    const pl_cell_fill *outer = nested ? a : b, *inner = nested ? b : a;
    found = pl_iset_has(outer->within, by) && !pl_iset_has(inner->within, by) &&
            same_group(r, outer, inner, (grouping){turn_of(r, i - 1), by, turns, 0});
  }
  return found;
}

/* Whether one is a group of the other one's turns. `at_once`: what else fills that object
 * does so with so many bytes. */
static bool is_grouped(const pl_cell_reading *r, const pl_cell_fill *a, const pl_cell_fill *b,
                       int64_t at_once) {
  if (a->object != b->object || a->local || b->local || !pl_str_eq(a->from, b->from) ||
      a->has_turns || b->has_turns)
    return false;
  if (a->width == b->width)
    return at_once % a->width == 0 && is_nested(r, a, b, at_once / a->width);
  return a->width > b->width ? is_joined(r, a, b) : is_joined(r, b, a);
}

static bool has_each(const pl_cell_reading *a, const pl_cell_reading *b, size_t object,
                     pl_str from) {
  int64_t one = widest(a, object), other = widest(b, object), most = one > other ? one : other;
  const made_fills all = {a, a->fills, a->nfills};
  for (size_t i = 0; i < b->nfills; i++) {
    const pl_cell_fill *f = &b->fills[i];
    if (f->object != object || !pl_str_eq(f->from, from))
      continue;
    const pl_iset *due = pl_iset_and(f->within, of_blocks(b));
    bool found = pl_iset_is_empty(less_filled_by(due, f, &all)) == PL_YES;
    for (size_t k = 0; k < a->nfills && !found; k++)
      found = is_grouped(a, &a->fills[k], f, most);
    if (!found)
      return false;
  }
  return true;
}

/* Whether cells can be compared by a relation: terms of one thread, and of one
 * iteration, are none of others. */
static bool has_relation(const pl_cell_reading *r, size_t object, pl_str from,
                         bool any_thread) {
  for (size_t i = 0; i < r->nfills; i++) {
    const pl_cell_fill *f = &r->fills[i];
    if (f->object == object && pl_str_eq(f->from, from) &&
        (any_thread ? f->has_terms : f->has_turns))
      return false;
  }
  return true;
}

/* The source keeps to the bytes of its object: where a number, that counts so many of them,
 * is one of these. */
static const pl_iset *inside(const pl_cell_reading *r, size_t object, const char *name,
                             int64_t measure) {
  const pl_type *type = r->loop->objects[object].decl->type;
  return type && type->kind == PL_TYPE_ARRAY && type->size > 0
             ? between(pl_iform_number(r->ints, 0), pl_iform_name(r->ints, name),
                       pl_iform_number(r->ints, (type->size + measure - 1) / measure))
             : pl_iset_all(r->ints);
}

/* Whether each fills what the other does; *differs: the rest, of a choice. */
static bool is_one_relation(const pl_cell_reading *a, const pl_cell_reading *b,
                            const fills_from *of, const pl_iset **differs) {
  const pl_iset *one = pl_iset_and(all_of(a, of), of_blocks(a)),
                *other = pl_iset_and(all_of(b, of), of_blocks(a));
  if (is_in(other, one) &&
      (is_in(one, other) || is_in(pl_iset_and(one, inside(a, of->object, "c",
                                                          of->is_whole ? of->unit : 1)), other)))
    return true;
  if (b->is_choice)
    *differs = pl_iset_or(pl_iset_minus(one, other), pl_iset_minus(other, one));
  return false;
}

/* ---- patterns -------------------------------------------------------------------- */

#define CELL "of 0:" /* the number that says which cell it is, if that is one */

typedef struct patterns {
  pl_cell_pattern *items;
  size_t n, cap;
  bool is_known, is_own;
} patterns;

static patterns patterns_of(pl_cell_reading *r, size_t object) {
  patterns made = {.is_known = true};
  for (size_t i = 0; i < r->nfills && made.is_known; i++) {
    if (r->fills[i].object != object)
      continue;
    pl_cell_pattern one = pl_pattern_of(r, &r->fills[i]);
    made.is_known = one.is_known;
    made.is_own |= one.is_own;
    PL_PUSH(r->arena, made.items, made.n, made.cap, one);
  }
  return made;
}

static void add_numbers(pl_arena *arena, symbols *all, const patterns *of, pl_str text) {
  for (size_t i = 0; i < of->n; i++)
    for (size_t k = 0; pl_str_eq(of->items[i].text, text) && k < of->items[i].n; k++)
      add_symbol(arena, all, of->items[i].items[k].symbol);
}

/* What a number of a pattern is; NULL: not known. */
static const pl_iform *number_of(const pl_cell_reading *r, const pl_cell_pattern *p,
                                 pl_str symbol) {
  const pl_iform *by = pl_iform_number(r->ints, 0);
  for (size_t i = 0; i < p->n; i++)
    by = pl_str_eq(p->items[i].symbol, symbol) ? p->items[i].by : by;
  return by;
}

/* Whether two numbers of all patterns that say the same are one. */
static bool is_twice(const pl_cell_reading *r, const patterns *const *both, pl_str text,
                     pl_str a, pl_str b) {
  for (int i = 0; i < 2; i++)
    for (size_t k = 0; k < both[i]->n; k++) {
      const pl_cell_pattern *p = &both[i]->items[k];
      const pl_iform *by = pl_str_eq(p->text, text) ? number_of(r, p, a) : NULL;
      if (pl_str_eq(p->text, text) && (!by || by != number_of(r, p, b)))
        return false;
    }
  return true;
}

/* Their numbers, of those that are one the first alone. */
static symbols numbers_in(const pl_cell_reading *r, const patterns *const *both, pl_str text) {
  symbols all = {0}, made = {0};
  add_symbol(r->arena, &made, PL_STR(CELL));
  add_numbers(r->arena, &all, both[0], text);
  add_numbers(r->arena, &all, both[1], text);
  for (size_t i = 0; i < all.n; i++) {
    size_t k = 0;
    while (k < made.n && !is_twice(r, both, text, made.items[k], all.items[i]))
      k++;
    if (k == made.n)
      add_symbol(r->arena, &made, all.items[i]);
  }
  return made;
}

/* The numbers of all that say the same, of each thread, or of any, and of any iteration. */
static const pl_iset *numbers_of(const pl_cell_reading *r, const patterns *of, pl_str text,
                                 const symbols *all, bool any_thread) {
  const pl_iset *every = pl_iset_all(r->ints), *made = pl_iset_minus(every, every);
  for (size_t i = 0; i < of->n; i++) {
    const pl_cell_pattern *p = &of->items[i];
    const pl_iset *set = pl_iset_and(p->within, of_threads(r, any_thread ? r->axes : 0));
    if (!pl_str_eq(p->text, text))
      continue;
    for (size_t k = 0; k < all->n; k++)
      set = pl_iset_and(set, pl_iset_compare(
          pl_iform_name(r->ints, pl_arena_cstr(r->arena, all->items[k])), PL_OP_EQ,
          number_of(r, p, all->items[k])));
    made = pl_iset_or(made, without_turns(r, set, any_thread));
  }
  return pl_iset_and(made, of_blocks(r));
}

/* What a pattern says behind `4 bytes of `. */
static pl_str behind_of(pl_str text) {
  const size_t n = strlen(" bytes of ");
  size_t at = 0;
  while (at < text.n && text.p[at] != ' ')
    at++;
  return at + n <= text.n ? (pl_str){text.p + at + n, text.n - at - n} : (pl_str){0};
}

/* Whether it hangs on an index of the thread, other than that there is one. */
static bool names_index(const pl_cell_reading *r, const pl_cell_fill *f) {
  const pl_iset *any = pl_iset_project(f->within, pl_cell_threads, PL_CELL_RANK);
  bool found = !is_in(pl_iset_and(any, of_threads(r, r->axes)), f->within);
  for (int axis = 0; axis < PL_CELL_RANK && !found; axis++)
    found = hangs_on(r, f, pl_cell_threads[axis]);
  return found;
}

/* Whether threads are called by their ranks and by indices: not each two of such numbers are some
 * thread's. */
static bool is_named_twice(const pl_cell_reading *const *both, size_t object) {
  int ranks = (both[0]->named | both[1]->named) >> PL_CELL_RANK;
  bool found = ranks == 3;
  for (int i = 0; i < 2 && ranks; i++)
    for (size_t k = 0; k < both[i]->nfills && !found; k++)
      found = both[i]->fills[k].object == object && names_index(both[i], &both[i]->fills[k]);
  return found;
}

/* Whether all that both do is of the same patterns, and each does to the same numbers. */
static bool has_same_patterns(pl_cell_reading *a, pl_cell_reading *b, size_t object) {
  patterns one = patterns_of(a, object), other = patterns_of(b, object);
  const patterns *const both[] = {&one, &other};
  bool same = one.is_known && other.is_known;
  const pl_cell_reading *const readings[] = {a, b};
  bool any = !one.is_own && !other.is_own && !is_named_twice(readings, object);
  for (int i = 0; i < 2; i++)
    for (size_t k = 0; k < both[i]->n && same; k++) {
      pl_str text = both[i]->items[k].text;
      const symbols all = numbers_in(a, both, text);
      const pl_iset *was = numbers_of(a, &one, text, &all, any),
                    *is = numbers_of(b, &other, text, &all, any);
      const pl_iset *due = pl_str_starts(behind_of(text), "? gets ")
                               ? pl_iset_and(was, inside(a, object, CELL, 1)) : was;
      same = is_in(due, is) && is_in(is, was);
    }
  return same;
}

/* Whether both fill an object alike, from one pointer or with one constant. */
static pl_answer same_from(const pl_cell_reading *a, const pl_cell_reading *b,
                           size_t object, pl_str from) {
  const pl_cell_reading *const both[] = {a, b};
  if (has_each(a, b, object, from) && has_each(b, a, object, from))
    return PL_YES;
  const pl_iset *differs = NULL;
  fills_from of = fills_of(both, object, from);
  for (int any = b->is_choice; any < 2; any++) {
    if (any && is_named_twice(both, object))
      break;
    of.any_thread = any;
    if (has_relation(a, object, from, any) && has_relation(b, object, from, any) &&
        is_one_relation(a, b, &of, &differs))
      return PL_YES;
  }
  return differs && is_for_any_block(a, b, differs, &of.symbols)
             ? PL_NO : PL_UNKNOWN;
}

/* ---- which fill comes last ----------------------------------------------------------- */

/* The loops around, and how many of them two fills have in common. */
static int loops_around(const pl_cell_reading *r, const pl_cell_fill *f,
                        const pl_cell_fill *other) {
  int n = 0;
  for (int run = f->run; run; run = r->runs[run - 1])
    n += !other || pl_cell_is_run_in(r, other->run, run);
  return n;
}

/* The next fill of an object, from one on. */
static size_t next_of(const pl_cell_reading *r, size_t object, size_t i) {
  while (i < r->nfills && r->fills[i].object != object)
    i++;
  return i;
}

/* Whether both do the same, one after another, in the same turns of loops: then what comes
 * last does, too. */
static bool same_in_order(const pl_cell_reading *a, const pl_cell_reading *b, size_t object) {
  const pl_cell_fill *f = NULL, *g = NULL;
  size_t i = next_of(a, object, 0), k = next_of(b, object, 0);
  for (; i < a->nfills && k < b->nfills;
       i = next_of(a, object, i + 1), k = next_of(b, object, k + 1)) {
    const pl_cell_fill *x = &a->fills[i], *y = &b->fills[k];
    if (!same_fill(a, x, y) || loops_around(a, x, NULL) != loops_around(b, y, NULL) ||
        (f && loops_around(a, x, f) != loops_around(b, y, g)))
      return false;
    f = x;
    g = y;
  }
  return f && i == a->nfills && k == b->nfills;
}

/* Where two have different numbers of some turn; NULL: they have no turns. */
static const pl_iset *in_other_turns(const pl_cell_reading *r, const pl_iset *one, int first) {
  const pl_iset *differ = NULL;
  for (int i = 0; i < r->most_loops; i++) {
    const char *own = turn_of(r, i), *other = pl_arena_printf(r->arena, "m%d", first + i).p;
    const pl_iset *apart = pl_iset_compare(pl_iform_name(r->ints, own), PL_OP_NE,
                                           pl_iform_name(r->ints, other));
    if (pl_iset_has(one, own))
      differ = differ ? pl_iset_or(differ, apart) : apart;
  }
  return differ;
}

/* Whether a thread may fill a cell twice by these, with what is not the same: as far as where
 * they begin is said by numbers, not by terms or products. */
static bool may_meet(pl_cell_reading *r, const pl_cell_fill *f, const pl_cell_fill *g) {
  int counters = r->counters, first = 2 * counters; /* those names stand here alone */
  const pl_cell_fill other = pl_cell_of_others(r, *g);
  r->counters = counters;
  const pl_iset *both = pl_iset_and(pl_iset_and(f->within, other.within), of_blocks(r));
  if (f == g) {
    const pl_iset *differ = in_other_turns(r, f->within, first);
    if (!differ && !f->has_turns)
      return false;
    both = differ ? pl_iset_and(both, differ) : both;
  }
  pl_cell_sum apart = pl_sum_add(other.to, f->to, -1);
  const pl_iform *by = apart.is_known ? pl_sum_affine(r, &apart) : NULL;
  both = pl_iset_and(both, between(pl_iform_number(r->ints, 1 - other.width), by,
                                   pl_iform_number(r->ints, f->width)));
  if (!by || (pl_str_eq(f->from, g->from) && pl_str_is(f->from, "=0")))
    return false;
  pl_cell_sum moved = pl_sum_add(f->at, apart, 1);
  if (pl_str_eq(f->from, g->from) && pl_same_sum(is_copy(f) ? &moved : &f->at, &other.at, both) &&
      (is_copy(f) || f->width == g->width) && !f->has_turns && !g->has_turns)
    return false;
  return pl_iset_is_empty(both) != PL_YES;
}

static bool has_one_fill_each(pl_cell_reading *r, size_t object) {
  for (size_t i = next_of(r, object, 0); i < r->nfills; i = next_of(r, object, i + 1))
    for (size_t k = i; k < r->nfills; k = next_of(r, object, k + 1))
      if (may_meet(r, &r->fills[i], &r->fills[k]))
        return false;
  return true;
}

static pl_answer same_fills(pl_cell_reading *a, pl_cell_reading *b, size_t object) {
  pl_cell_reading *const both[] = {a, b};
  pl_answer found = PL_UNKNOWN;
  if (same_in_order(a, b, object))
    return PL_YES;
  /* Of the source: then the text, whose cells get nothing else, has one for each, too. */
  if (!has_one_fill_each(a, object))
    return PL_UNKNOWN;
  for (int i = 0; i < 2; i++)
    for (size_t k = 0; k < both[i]->nfills; k++) {
      if (both[i]->fills[k].object != object)
        continue;
      pl_answer one = same_from(a, b, object, both[i]->fills[k].from);
      if (one != PL_YES)
        return has_same_patterns(a, b, object) ? PL_YES : one;
      found = PL_YES;
    }
  return found;
}

/* ---- both loads ---------------------------------------------------------------------- */

static pl_cell_reading reading_for(const pl_emitted *out, pl_integers *ints,
                                   pl_cell_terms *terms, bool of_text,
                                   const int64_t *block) {
  pl_cell_reading made = {.loop = out->source,
                          .arena = out->source->arena,
                          .ints = ints,
                          .terms = terms,
                          .unit = of_text ? out->unit : out->source->unit,
                          .effects = of_text ? out->effects : out->source->effects,
                          .func = of_text ? out->func : out->source->func,
                          .axes = out->axes,
                          .switch_loops = -1,
                          .names = out->cell_names};
  if (of_text)
    made.region = out->region;
  if (made.func->decl && made.func->decl->kind == PL_DECL_METHOD)
    made.self = (pl_cell_place){.is_known = true, .root = PL_STR("&this"),
                                .at = pl_number_sum(&made, 0)};
  for (int i = 0; i < 3; i++)
    made.block[i] = block[i];
  made.path = made.begin = made.threads = of_threads(&made, out->axes);
  return made;
}

static bool sets(const pl_effects *effects, const pl_decl *local) {
  for (size_t i = 0; i < effects->n; i++)
    if (effects->items[i].kind != PL_EFFECT_READ && effects->items[i].root.decl == local)
      return true;
  return false;
}

static void hide(pl_cell_reading *r, const pl_decl *decl) {
  bool place = decl->type && decl->type->kind == PL_TYPE_POINTER;
  pl_cell_bind(r, (pl_cell_variable){.decl = decl, .is_place = place});
}

/* What a statement gives to variables is not known. */
static void forget(pl_cell_reading *r, pl_node *node) {
  pl_effects effects = {0};
  size_t kept = 0;
  pl_effects_of(r->effects, r->func, node, &effects);
  for (size_t i = 0; i < r->nbound; i++)
    if (sets(&effects, r->bound[i].decl))
      hide(r, r->bound[i].decl);
  for (size_t i = 0; i < r->nfills; i++) {
    const pl_decl *local = r->fills[i].local;
    if (!local || !sets(&effects, local))
      r->fills[kept++] = r->fills[i];
    else if (pl_cell_is_moved_on(r, local))
      hide(r, local);
  }
  r->nfills = kept;
}

/* ... to those that the load moves on. */
static void hide_moved(pl_cell_reading *r, pl_node *node) {
  pl_effects effects = {0};
  pl_effects_of(r->effects, r->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *e = &effects.items[i];
    if (e->kind != PL_EFFECT_READ && e->root.decl && pl_cell_is_moved_on(r, e->root.decl))
      hide(r, e->root.decl);
  }
}

/* What does not fill the object may give variables something that is not known. An item of
 * the loop's: what it moves on is what its clock says. */
static void run_for(pl_cell_reading *r, pl_node *node, bool fills, bool is_item) {
  size_t before = r->nfills;
  bool lost = r->is_lost;
  r->is_lost = false;
  r->moves_on = fills || !is_item;
  r->part = node;
  pl_run_fills(r, node);
  r->is_lost |= r->gone != NULL;
  r->gone = r->broken = NULL;
  r->switch_loops = -1;
  if (r->is_lost && !fills) {
    r->nfills = before < r->nfills ? before : r->nfills;
    forget(r, node);
    if (!is_item)
      hide_moved(r, node);
  }
  r->is_lost = lost || (fills && r->is_lost);
}

/* Whether an item does no more than to set variables of the thread's own. */
static bool sets_variables(const pl_item *item) {
  bool found = item->node->kind == PL_NODE_DECL_STMT;
  for (size_t i = 0; i < item->nlocals; i++)
    found |= item->locals[i] != NULL;
  for (size_t i = 0; i < item->ntouches; i++)
    if (item->touches[i].writes)
      return false;
  return found && !item->is_test && !item->is_barrier;
}

/* Whether an item stands word for word in the main loop: it is no load that is made in
 * parts, and each tile's is made as it was (certificate.c). */
static bool is_whole(const pl_emitted *out, size_t object, size_t item) {
  for (size_t i = 0; i < out->nparts; i++)
    if (out->parts[i].is_verbatim && out->parts[i].section == 1 &&
        out->parts[i].item == item && out->parts[i].object == object)
      return true;
  return false;
}

static void read_source(const pl_emitted *out, pl_cell_reading *r, size_t object) {
  const pl_source_loop *l = r->loop;
  for (size_t i = 0; i < l->nitems; i++) {
    bool fills = pl_item_touches(&l->items[i], object, true);
    if (fills && is_whole(out, object, i))
      forget(r, l->items[i].node);
    else if (fills || sets_variables(&l->items[i]))
      run_for(r, l->items[i].node, fills, true);
  }
}

/* `blockDim.x == 64` of `const bool joined = ... && ...`. */
static void take_sizes(pl_node *node, int64_t *block) {
  node = pl_node_bare(node);
  if (node->kind == PL_NODE_REF && node->decl && pl_beginning_of(node))
    take_sizes(pl_beginning_of(node), block);
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
      pl_str_is(base->name, "blockDim") && pl_axis_of(member) >= 0 &&
      node->kids[1]->has_ival && node->kids[1]->ival > 0)
    block[pl_axis_of(member)] = node->kids[1]->ival;
}

static bool is_of_pointer(pl_node *node, const void *context) {
  (void)context;
  const pl_type *type = node->type ? pl_no_reference(node->type) : NULL;
  return type && type->kind == PL_TYPE_POINTER;
}

/* What a way to load asks for: `k % 8 == 0`, `n - base > 63`; all where that is not
 * known. */
static const pl_iset *asked(pl_cell_reading *r, pl_node *node) {
  const pl_iset *all = pl_iset_all(r->ints);
  node = pl_node_bare(node);
  if (node->kind == PL_NODE_REF && node->decl && pl_beginning_of(node))
    return asked(r, pl_beginning_of(node));
  if (node->kind != PL_NODE_BINARY ||
      (node->op != PL_OP_LAND && pl_node_find(node, is_of_pointer, NULL)))
    return all; /* addresses are asked for where they count */
  if (node->op == PL_OP_LAND)
    return pl_iset_and(asked(r, node->kids[0]), asked(r, node->kids[1]));
  const pl_iset *found = pl_cell_condition(r, node);
  bool differs = r->has_terms || r->has_turns;
  r->has_terms = r->has_turns = false;
  return differs || !found ? all : found;
}

/* What an item moves a variable on by a multiple of, `k += 32 * gridDim.x`; 0: not known. */
static int64_t step_of(pl_cell_reading *r, const pl_node *node, const pl_decl *decl) {
  int64_t by = 0;
  if (pl_node_is_step(node) && pl_names_var(pl_node_bare(node->kids[0]), decl))
    return 1;
  if (node->kind != PL_NODE_ASSIGN || (node->op != PL_OP_ADD && node->op != PL_OP_SUB) ||
      !pl_names_var(pl_node_bare(node->kids[0]), decl))
    return 0;
  pl_cell_sum sum = pl_sum_of(r, node->kids[1]);
  for (size_t i = 0; i < sum.n; i++) {
    if (!sum.items[i].is_number)
      return 0;
    by = common_measure(by, sum.items[i].number < 0 ? -sum.items[i].number
                                                    : sum.items[i].number);
  }
  return sum.is_known ? by : 0;
}

/* What holds of a variable that the loop begins with and moves on by multiples: how far it
 * is from its beginning. */
static const pl_iset *rest_of(pl_cell_reading *r, const pl_clocked *v) {
  const pl_source_loop *l = r->loop;
  const pl_iset *all = pl_iset_all(r->ints);
  int64_t by = 0;
  if (v->is_temporary || v->is_scratch || !v->is_set_by_header || !v->decl->init)
    return all;
  for (size_t i = 0; i < l->nitems; i++)
    for (size_t k = 0; k < l->items[i].nuses; k++) {
      const pl_clock_use *use = &l->items[i].uses[k];
      if (&l->vars[use->var] != v || !use->writes)
        continue;
      int64_t step = step_of(r, l->items[i].node, v->decl);
      if (!step)
        return all;
      by = common_measure(by, step);
    }
  pl_cell_sum begin = pl_sum_of(r, v->decl->init), now = pl_symbol_sum(r, v->decl->name);
  pl_cell_sum since = pl_sum_add(now, begin, -1);
  const pl_iform *form = since.is_known ? pl_sum_linear(r, &since) : NULL;
  return by && form ? pl_iset_compare(pl_iform_mod(form, by), PL_OP_EQ,
                                      pl_iform_number(r->ints, 0))
                    : all;
}

/* What holds where a way to load is taken. */
static const pl_iset *facts_of(pl_cell_reading *text, pl_cell_reading *source,
                               pl_node *choice) {
  const pl_iset *facts = asked(text, choice);
  for (size_t i = 0; i < source->loop->nvars; i++)
    facts = pl_iset_and(facts, rest_of(source, &source->loop->vars[i]));
  source->has_terms = source->has_turns = false;
  return facts;
}

/* ---- what is fetched -------------------------------------------------------------------- */

/* ... by any turn, of loops that a fill is behind. */
static const pl_iset *of_any_turn(const pl_cell_reading *r, const pl_iset *set,
                                  const pl_cell_fill *f) {
  for (int i = 0; i < r->most_loops; i++) {
    const char *const gone[] = {turn_of(r, i)};
    if (pl_iset_has(set, gone[0]) && !pl_iset_has(f->within, gone[0]) && !hangs_on(r, f, gone[0]))
      set = pl_iset_project(set, gone, 1);
  }
  return set;
}

/* What of a fill's reads is none of some others'. `stored`: of those that fill objects alone.
 * *found: whether any of it is. */
static const pl_iset *less_read_by(const pl_iset *left, const pl_cell_fill *f, made_fills others,
                                   bool stored, bool *found) {
  for (size_t i = 0; i < others.n; i++) {
    const pl_cell_fill *g = &others.items[i];
    if ((!g->object && stored) || !pl_str_eq(f->from, g->from) ||
        !pl_same_sum(&f->at, &g->at, left))
      continue;
    left = less_filled(left, f, others.by, g, of_any_turn(others.by, filled_in(others.by, g), f));
    *found = true;
  }
  return left;
}

/* What all of the source's loads read of a tile, into whatever object. */
static pl_cell_reading read_by_all(const pl_emitted *out, const pl_cell_reading *source) {
  pl_cell_reading all = reading_for(out, source->ints, source->terms, false, source->block);
  all.path = all.begin = source->begin;
  for (size_t i = 0; i < all.loop->nitems; i++) {
    const pl_item *item = &all.loop->items[i];
    bool loads = sets_variables(item);
    for (size_t k = 0; k < item->ntouches; k++)
      loads |= item->touches[k].writes;
    if (loads)
      run_for(&all, item->node, false, true);
  }
  return all;
}

/* Whether the text reads no more of memory than it stores, or makes what it stores of, or the
 * source reads: what lies behind the end of an array is not there. */
static bool reads_no_more(const pl_emitted *out, const pl_cell_reading *source,
                          const pl_cell_reading *text) {
  pl_cell_reading others = {0};
  for (size_t i = 0; i < text->nfills; i++) {
    const pl_cell_fill *f = &text->fills[i];
    if (!f->local || !f->from.n || !is_copy(f) || f->from.p[0] == '&')
      continue;
    bool is_stored = false, is_read = false; /* else it is another object's */
    const pl_iset *left = pl_iset_and(f->within, of_blocks(text));
    left = less_read_by(left, f, (made_fills){text, text->fills, text->nfills}, true, &is_stored);
    left = less_read_by(left, f, (made_fills){text, text->used, text->nused}, false, &is_stored);
    left = less_read_by(left, f, (made_fills){source, source->seen, source->nseen}, false,
                        &is_read);
    if (!is_stored || pl_iset_is_empty(left) == PL_YES)
      continue;
    if (!others.loop)
      others = read_by_all(out, source);
    left = less_read_by(left, f, (made_fills){&others, others.seen, others.nseen}, false,
                        &is_read);
    if (pl_iset_is_empty(left) != PL_YES)
      return false;
  }
  return true;
}

/* ---- what is moved on ----------------------------------------------------------------- */

static const pl_cell_sum *value_of(const pl_cell_variable *v) {
  return v->is_place ? &v->place.at : &v->value;
}

/* Over how often each symbol is in the value, for each thread. */
static const pl_iset *values_of(const pl_cell_reading *r, const pl_cell_variable *v,
                                const symbols *all) {
  const pl_iset *set = r->path;
  for (size_t i = 0; i < all->n; i++) {
    const pl_iform *by = pl_iform_number(r->ints, 0);
    for (size_t k = 0; k < value_of(v)->n; k++)
      if (pl_str_eq(value_of(v)->items[k].symbol, all->items[i]))
        by = value_of(v)->items[k].by;
    const char *name = pl_arena_printf(r->arena, "s%zu", i).p;
    set = pl_iset_and(set, pl_iset_compare(pl_iform_name(r->ints, name), PL_OP_EQ, by));
  }
  return without_turns(r, set, false);
}

static bool same_end(const pl_cell_reading *a, const pl_cell_variable *was,
                     const pl_cell_reading *b, const pl_cell_variable *is) {
  bool known = was->is_place == is->is_place && value_of(was)->is_known &&
               value_of(is)->is_known && (!was->within || is_in(a->path, was->within)) &&
               (!is->within || is_in(b->path, is->within));
  symbols all = {0};
  if (!known || (was->is_place && (!was->place.is_known || !is->place.is_known ||
                                   was->place.object != is->place.object ||
                                   was->place.local || is->place.local ||
                                   !pl_str_eq(was->place.root, is->place.root))))
    return false;
  for (size_t i = 0; i < value_of(was)->n; i++)
    add_symbol(a->arena, &all, value_of(was)->items[i].symbol);
  for (size_t i = 0; i < value_of(is)->n; i++)
    add_symbol(a->arena, &all, value_of(is)->items[i].symbol);
  const pl_iset *one = values_of(a, was, &all), *other = values_of(b, is, &all);
  return is_in(one, other) && is_in(other, one);
}

/* Whether a fill is what a part of an object holds that the load has moved on. */
static bool is_moved_on(const pl_cell_reading *r, const pl_cell_fill *f) {
  return f->local && pl_cell_is_moved_on(r, f->local);
}

/* What both give to such parts of one object, of each thread, by its name. */
static bool moves_alike(const pl_cell_reading *a, const pl_cell_reading *b, pl_str name) {
  for (size_t i = 0; i < a->nfills; i++) {
    const pl_cell_fill *f = &a->fills[i];
    if (!is_moved_on(a, f) || !pl_str_eq(pl_cell_name(a, f->local), name))
      continue;
    const pl_iset *left = pl_iset_and(f->within, of_blocks(a));
    for (size_t k = 0; k < b->nfills; k++) {
      const pl_cell_fill *g = &b->fills[k];
      if (is_moved_on(b, g) && pl_str_eq(pl_cell_name(b, g->local), name) &&
          f->width == g->width && pl_str_eq(f->from, g->from) &&
          pl_same_sum(&f->to, &g->to, left) && pl_same_sum(&f->at, &g->at, left))
        left = pl_iset_minus(left, g->within);
    }
    if (pl_iset_is_empty(left) != PL_YES)
      return false;
  }
  return true;
}

/* Whether what the source's load moves on for the next tile is moved on alike: for each thread
 * the same. */
static bool ends_alike(const pl_cell_reading *source, const pl_cell_reading *text) {
  for (size_t i = 0; i < source->nfills; i++)
    if (is_moved_on(source, &source->fills[i]) &&
        !(moves_alike(source, text, pl_cell_name(source, source->fills[i].local)) &&
          moves_alike(text, source, pl_cell_name(source, source->fills[i].local))))
      return false;
  for (size_t i = 0; i < source->nbound; i++) {
    const pl_cell_variable *was = &source->bound[i], *is = NULL;
    for (size_t k = 0; k < text->nbound && was->is_end; k++)
      if (text->bound[k].is_end &&
          pl_str_eq(pl_cell_name(text, text->bound[k].decl), was->decl->name))
        is = &text->bound[k];
    if (was->is_end && !(is && same_end(source, was, text, is)))
      return false;
  }
  return true;
}

/* ---- alignment ------------------------------------------------------------------------ */

static bool is_multiple_of_width(pl_cell_reading *r, const pl_cell_fill *f) {
  const pl_iset *path = r->path;
  r->path = f->within;
  bool is = pl_begins_at_multiple(r, &f->to, f->width) &&
            pl_begins_at_multiple(r, &f->at, f->width);
  r->path = path;
  return is;
}

/* Whether what the text copies in more bytes at once than the source reads there is asked
 * to begin at a multiple of so many. */
static bool asks_for_alignment(const pl_cell_reading *source, pl_cell_reading *text,
                               size_t object, pl_node *choice) {
  for (size_t i = 0; i < text->nfills; i++) {
    const pl_cell_fill *f = &text->fills[i];
    bool wider = f->object == object && is_copy(f);
    for (size_t k = 0; k < source->nfills && wider; k++)
      wider = source->fills[k].object != object ||
              !pl_str_eq(source->fills[k].from, f->from) ||
              source->fills[k].width < f->width;
    if (wider && !(choice && pl_asks_for_address(text, choice, f->from, f->width) &&
                   is_multiple_of_width(text, f)))
      return false;
  }
  return true;
}

/* What holds where a part is made: that of a way to load which is chosen by a variable that
 * the load sets is known behind that alone. */
static void enter_way(pl_cell_reading *text, pl_cell_reading *source, const pl_part_site *p) {
  bool open = p->arm && p->choice && p->choice->decl && !pl_beginning_of(p->choice);
  const pl_iset *holds = open ? pl_cell_condition(text, p->choice) : NULL;
  if (holds)
    text->path = text->begin = source->path = source->begin = pl_iset_and(source->begin, holds);
}

static bool is_same_part(const pl_part_site *a, const pl_part_site *b) {
  return a->node == b->node && a->section == b->section && a->arm == b->arm;
}

/* Whether a part that does several things is one of those ahead. */
static bool was_run(const pl_emitted *out, size_t part) {
  size_t i = 0;
  while (i < part && !is_same_part(&out->parts[i], &out->parts[part]))
    i++;
  return i < part;
}

/* Whether one of the things that a part does is to fill an object, or (0) to set variables. */
static bool fills(const pl_emitted *out, const pl_part_site *part, size_t object) {
  size_t i = 0;
  while (i < out->nparts &&
         !(is_same_part(&out->parts[i], part) && out->parts[i].object == object))
    i++;
  return i < out->nparts;
}

/* Whether the parts of one section that fill an object, of one way of a choice and of
 * none, fill it as the source does; *asked: the axes of threads that this hangs on. */
static pl_answer fills_along(const pl_emitted *out, pl_integers *ints, size_t object,
                             int section, int arm, int *asked) {
  int64_t block[3] = {0};
  pl_node *choice = NULL;
  for (size_t i = 0; i < out->nparts; i++)
    if (out->parts[i].arm == arm && out->parts[i].choice)
      choice = out->parts[i].choice;
  if (choice)
    take_sizes(choice, block);
  pl_cell_terms terms = {0};
  pl_cell_reading text = reading_for(out, ints, &terms, true, block),
          source = reading_for(out, ints, &terms, false, block);
  text.is_choice = source.is_choice = arm > 0;
  if (pl_loads_alike(out, &source, &text, object, section))
    return PL_YES;
  text.choice = choice;
  if (choice) {
    const pl_iset *facts = facts_of(&text, &source, choice);
    text.path = text.begin = source.path = source.begin = facts;
  }
  for (size_t i = 0; i < out->nparts; i++) {
    const pl_part_site *p = &out->parts[i];
    if (p->section != section || (p->arm != arm && p->arm != 0) || was_run(out, i))
      continue;
    enter_way(&text, &source, p);
    if (p->is_verbatim && is_whole(out, p->object ? p->object : object, p->item))
      forget(&text, (pl_node *)p->node);
    else if (fills(out, p, object) || fills(out, p, 0))
      run_for(&text, (pl_node *)p->node, fills(out, p, object), p->is_verbatim);
  }
  read_source(out, &source, object);
  bool alike = !text.is_lost && !source.is_lost &&
               asks_for_alignment(&source, &text, object, choice);
  *asked = text.asked | source.asked;
  return alike && !(*asked & ~out->axes) && reads_no_more(out, &source, &text) &&
                 ends_alike(&source, &text)
             ? same_fills(&source, &text, object) : PL_UNKNOWN;
}

/* How many threads there are along an axis that no load hangs on is not asked for: most have
 * one axis, and each makes sets larger. */
static pl_answer fills_alike(pl_emitted *out, pl_integers *ints, size_t object, int section,
                             int arm) {
  int asked = 0;
  pl_answer alike;
  if (!out->cell_names) {
    const pl_source_loop *l = out->source;
    out->cell_names = PL_NEW(l->arena, pl_cell_names);
    out->cell_names->source = (pl_threads_at){l->arena, l->effects, l->unit, l->node, 0, NULL};
    out->cell_names->text =
        (pl_threads_at){l->arena, out->effects, out->unit, out->func->body, 0, NULL};
  }
  do {
    out->axes |= asked;
    alike = fills_along(out, ints, object, section, arm, &asked);
  } while (asked & ~out->axes);
  return alike;
}

/* Whether the loads of an object that the main loop makes in parts stand word for word in a
 * section, or in one of its ways to load, all of them. */
static bool stands_whole(const pl_emitted *out, size_t object, int section, int arm) {
  const pl_source_loop *l = out->source;
  for (size_t i = 0; i < l->nitems; i++) {
    bool found = !pl_item_touches(&l->items[i], object, true) || is_whole(out, object, i);
    for (size_t k = 0; k < out->nparts && !found; k++)
      found = out->parts[k].is_verbatim && out->parts[k].item == i &&
              out->parts[k].object == object && out->parts[k].section == section &&
              (out->parts[k].arm == arm || !out->parts[k].arm);
    if (!found)
      return false;
  }
  return true;
}

/* The first part of a way to load that is none of the loop's items, or one of which the rest
 * is not there. */
static const pl_node *part_of(const pl_emitted *out, size_t object, int section,
                              int arm) {
  for (size_t i = 0; i < out->nparts; i++) {
    const pl_part_site *p = &out->parts[i];
    if (p->object == object && p->section == section && p->arm == arm &&
        !(p->is_verbatim && (is_whole(out, object, p->item) ||
                             stands_whole(out, object, section, arm))))
      return p->node;
  }
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

static void say_it_differs(pl_emitted *out, const pl_node *node, size_t object) {
  pl_emitted_fail(out, 'b', node, "it fills cells of '%.*s' otherwise than the loop does",
                  PL_FMT(out->source->objects[object].decl->name));
}

/* A way to load is wrong where another one of the same tile, read by the same means, does
 * not differ. */
static void check_section(pl_emitted *out, pl_integers *ints, size_t object,
                          int section) {
  pl_answer last = PL_UNKNOWN;
  bool choices = false;
  for (int arm = out->narms; arm >= 0; arm--) {
    const pl_node *node = part_of(out, object, section, arm);
    if (!node || (arm == 0 && choices))
      continue;
    pl_answer alike = fills_alike(out, ints, object, section, arm);
    if (alike == PL_NO && choices && last == PL_YES)
      say_it_differs(out, node, object);
    if (alike != PL_YES)
      pl_emitted_fail(out, '?', node, "whether it fills the cells of '%.*s' that the "
                      "loop fills is not known",
                      PL_FMT(out->source->objects[object].decl->name));
    choices |= arm > 0;
    last = alike;
  }
}

/* Only what that sees to be wrong, and it may be hidden there: the last way is not asked
 * of where none ahead of it differs. */
static void check_ways(pl_emitted *out, pl_integers *ints, size_t object, int section) {
  const pl_node *differs = NULL;
  int last = out->narms;
  while (last > 0 && !part_of(out, object, section, last))
    last--;
  for (int arm = 1; arm <= last; arm++) {
    const pl_node *node = part_of(out, object, section, arm);
    if (!node || (arm == last && !differs))
      continue;
    pl_answer alike = fills_alike(out, ints, object, section, arm);
    if (alike == PL_YES && differs)
      say_it_differs(out, differs, object);
    differs = alike == PL_NO ? node : NULL;
  }
}

void pl_check_load_cells(pl_emitted *out, bool is_told, pl_memory *memory) {
  unsigned long most = is_told ? OPERATIONS : FEW_OPERATIONS;
  pl_integers *ints = memory ? pl_memory_integers(memory, PL_OF_CELLS, most)
                             : pl_integers_new(out->source->arena, most);
  out->axes = 1;
  for (size_t object = 1; object < out->source->nobjects; object++)
    for (int section = 0; section < 3 && !out->claim; section++)
      if (!was_read(out, object, section))
        (is_told ? check_section : check_ways)(out, ints, object, section);
  if (!memory)
    pl_integers_free(ints);
}
