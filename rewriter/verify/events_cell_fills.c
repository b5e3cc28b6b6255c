/* events_cell_fills.c - which cells do the statements of a load fill, and with what?
 *
 * Needs: a tree. Gives: fills, through variables of the thread's own; or that it is lost.
 * Raises: nothing. */
#include "effects_parts.h"
#include "events_cells.h"
#include "reaching_definitions.h"

#include <stdlib.h>
#include <string.h>


enum { MOST_BYTES = 64 };

/* ---- statements -------------------------------------------------------------------- */

static void lose(pl_cell_reading *r) { r->is_lost = true; }

/* What the path was, and whether there are terms in it. */
typedef struct way {
  const pl_iset *path;
  bool has_terms, has_turns;
} way;

static way way_of(const pl_cell_reading *r) {
  return (way){r->path, r->has_terms, r->has_turns};
}

static void back_to(pl_cell_reading *r, way was) {
  r->path = was.path;
  r->has_terms = was.has_terms;
  r->has_turns = was.has_turns;
}

/* What a load was, to go back to it. */
typedef struct kept_fills {
  way way;
  pl_cell_fill *items;
  size_t n, nseen, nused;
  pl_cell_variable *bound;
  size_t nbound;
} kept_fills;

static kept_fills keep(const pl_cell_reading *r) {
  kept_fills made = {way_of(r), PL_NEW_ARRAY(r->arena, pl_cell_fill, r->nfills + 1), r->nfills,
                     r->nseen, r->nused, PL_NEW_ARRAY(r->arena, pl_cell_variable, r->nbound + 1),
                     r->nbound};
  for (size_t i = 0; i < r->nfills; i++)
    made.items[i] = r->fills[i];
  for (size_t i = 0; i < r->nbound; i++)
    made.bound[i] = r->bound[i];
  return made;
}

static void restore(pl_cell_reading *r, const kept_fills *kept) {
  r->is_lost = false;
  back_to(r, kept->way);
  r->nfills = 0;
  r->nseen = kept->nseen;
  r->nused = kept->nused;
  for (size_t i = 0; i < kept->n; i++)
    PL_PUSH(r->arena, r->fills, r->nfills, r->fills_cap, kept->items[i]);
  r->nbound = 0;
  for (size_t i = 0; i < kept->nbound; i++)
    PL_PUSH(r->arena, r->bound, r->nbound, r->bound_cap, kept->bound[i]);
}

static void under(pl_cell_reading *r, const pl_iset *where, pl_node *node,
                  void (*what)(pl_cell_reading *, pl_node *)) {
  const pl_iset *path = r->path;
  if (pl_iset_is_empty(where) == PL_YES)
    return; /* no launch comes there */
  r->path = pl_iset_and(path, where);
  if (!r->path)
    lose(r);
  else
    what(r, node);
  r->path = path;
}

/* ... of memory; else a value. */
static bool is_bytes(const pl_cell_fill *f) {
  return f->from.n && f->from.p[0] != '=' && f->from.p[0] != '~';
}

static pl_cell_fill renamed(pl_cell_reading *r, pl_cell_fill f, const char *own) {
  const char *other = pl_arena_printf(r->arena, "m%d", r->counters++).p;
  f.to = pl_sum_renamed(r, &f.to, own, other);
  f.at = pl_sum_renamed(r, &f.at, own, other);
  f.within = pl_cell_set_renamed(r, f.within, own, other);
  return f;
}

/* How many of the loops around here one is in as well. */
static int loops_in_common(const pl_cell_reading *r, int run) {
  int n = 0;
  for (; run; run = r->runs[run - 1])
    n += pl_cell_is_run_in(r, r->run, run);
  return n;
}

bool pl_cell_of_ended(pl_cell_reading *r, pl_cell_fill *f) {
  bool found = false;
  int64_t number;
  if (pl_sum_is_number(&f->to, &number))
    return false;
  for (int k = loops_in_common(r, f->run); k < r->most_loops; k++) {
    const char *own = pl_arena_printf(r->arena, "n%d", k).p;
    if (!pl_sum_hangs_on(r, &f->to, own))
      continue;
    *f = renamed(r, *f, own);
    found = true;
  }
  return found;
}

const pl_iset *pl_cell_overlap(const pl_cell_reading *r, const pl_cell_sum *since, int64_t width,
                               int64_t size) {
  const pl_iform *by = since->is_known ? pl_sum_affine(r, since) : NULL;
  return pl_iset_and(pl_iset_compare(by, PL_OP_GT, pl_iform_number(r->ints, -size)),
                     pl_iset_compare(by, PL_OP_LT, pl_iform_number(r->ints, width)));
}

/* Some bytes of a fill; none: nothing. */
static void keep_part(pl_cell_reading *r, pl_cell_fill f, int64_t from, int64_t n,
                      const pl_iset *within) {
  bool bytes = is_bytes(&f);
  if (n <= 0 || pl_iset_is_empty(within) == PL_YES)
    return;
  f.to = pl_sum_add(f.to, pl_number_sum(r, from), 1);
  if (n < f.width && bytes) {
    f.at = pl_sum_add(f.at, pl_number_sum(r, from), 1);
  } else if (n < f.width && !pl_str_is(f.from, "=0")) {
    f.at = pl_cell_slice(r, &f, from, n);
    f.from = PL_STR("~");
  }
  f.width = n;
  f.within = within;
  r->is_lost |= !f.at.is_known;
  PL_PUSH(r->arena, r->fills, r->nfills, r->fills_cap, f);
}

/* Less what may be stored over of an array that a loop which is over has filled, by any turn of
 * those around here; false: it is none of that kind, or lies there turn by turn. */
static bool replace_in_ended(pl_cell_reading *r, pl_cell_fill *f, const pl_cell_fill *by) {
  pl_cell_fill m = *f;
  int first = r->counters, kept = 0;
  if (!f->local || f->local != by->local || !pl_cell_of_ended(r, &m))
    return false;
  if (pl_same_sum(&f->to, &by->to, by->within)) {
    r->counters = first;
    return false;
  }
  pl_cell_sum since = pl_sum_add(by->to, m.to, -1);
  const pl_iset *hit = pl_iset_and(pl_iset_and(by->within, m.within),
                                   pl_cell_overlap(r, &since, m.width, by->width));
  for (int k = loops_in_common(r, f->run); k < r->most_loops; k++) {
    const char *const own[] = {pl_arena_printf(r->arena, "n%d", k).p};
    hit = pl_iset_project(hit, own, 1);
    if (pl_sum_hangs_on(r, &f->to, own[0]))
      hit = pl_iset_renamed(hit, pl_arena_printf(r->arena, "m%d", first + kept++).p, own[0]);
  }
  r->counters = first;
  if (hit) {
    f->within = pl_iset_minus(f->within, hit);
    f->has_terms |= by->has_terms;
    f->has_turns |= by->has_turns;
  }
  return true;
}

/* What was stored there before is gone: of what is as wide, or begins so many bytes from it. */
static void replace(pl_cell_reading *r, const pl_cell_fill *by) {
  const pl_cell_fill *was = r->fills;
  size_t n = r->nfills;
  r->fills = NULL;
  r->nfills = r->fills_cap = 0;
  for (size_t i = 0; i < n; i++) {
    pl_cell_fill f = was[i];
    if (replace_in_ended(r, &f, by)) {
      keep_part(r, f, 0, f.width, f.within);
      continue;
    }
    bool met = f.object == by->object && f.local == by->local;
    pl_cell_sum since = met ? pl_sum_add(by->to, f.to, -1) : (pl_cell_sum){0};
    int64_t from = 0;
    bool fixed = met && pl_sum_is_number(&since, &from);
    bool same = met && f.width == by->width && pl_same_sum(&f.to, &by->to, by->within);
    met = same || (fixed && from < f.width && from + by->width > 0);
    int64_t low = met && !same && from > 0 ? from : 0;
    int64_t end = met && !same && from + by->width < f.width ? from + by->width : f.width;
    if (met) {
      f.has_terms |= by->has_terms;
      f.has_turns |= by->has_turns;
    }
    keep_part(r, f, 0, low, f.within);
    keep_part(r, f, low, end - low, met ? pl_iset_minus(f.within, by->within) : f.within);
    keep_part(r, f, end, f.width - end, f.within);
  }
}

/* Whether a part of a variable is there. */
static bool is_within(const pl_cell_reading *r, const pl_cell_place *to, int64_t width) {
  const pl_type *type = to->local->type;
  const pl_iform *at = pl_sum_affine(r, &to->at);
  bool is_sized = type && (type->size > 0 || (type->kind == PL_TYPE_ARRAY && !type->size));
  const pl_iform *room = is_sized
                             ? pl_iform_number(r->ints, type->size - width) : NULL;
  if (!room || !at)
    return !room;
  return pl_iset_is_subset(r->path, pl_iset_and(pl_iset_compare(at, PL_OP_LE, room),
                                                pl_iset_compare(at, PL_OP_GE,
                                                                pl_iform_number(r->ints, 0)))) ==
         PL_YES;
}

static void drop_local(pl_cell_reading *r, const pl_decl *local) {
  size_t kept = 0;
  for (size_t i = 0; i < r->nfills; i++)
    if (r->fills[i].local != local)
      r->fills[kept++] = r->fills[i];
  r->nfills = kept;
}

/* What a variable was bound to, or given, is not what it holds from here on. */
static void begin_anew(pl_cell_reading *r, const pl_decl *decl) {
  if (!pl_cell_unbind(r, decl))
    return;
  drop_local(r, decl);
}

/* Whether something hangs on the thread where a loop deals its turns out to all of them: which
 * thread makes which turn is not said there. */
static bool names_thread(const pl_cell_reading *r, const pl_cell_place *to, const pl_cell_sum *at) {
  bool found = false;
  for (int axis = 0; axis < PL_CELL_AXES && !found; axis++) {
    const char *name = pl_cell_threads[axis];
    found = (axis >= PL_CELL_RANK || (r->taken >> axis & 1)) &&
            (pl_sum_hangs_on(r, &to->at, name) || pl_sum_hangs_on(r, at, name));
  }
  return found;
}

static void add_fill(pl_cell_reading *r, const pl_cell_place *to, pl_str from,
                     pl_cell_sum at, int64_t width) {
  if (!to->is_known || (!to->object && !to->local) || width <= 0 || !at.is_known ||
      !to->at.is_known) {
    lose(r);
    return;
  }
  if (to->local && !is_within(r, to, width)) {
    lose(r);
    return;
  }
  if (r->taken && names_thread(r, to, &at))
    return lose(r);
  pl_cell_fill made = {.object = to->object, .local = to->local, .from = from,
                       .to = to->at, .at = at, .width = width, .within = r->path,
                       .has_terms = r->has_terms, .has_turns = r->has_turns, .run = r->run};
  made.has_terms |= pl_sum_differs(r, &made.to, &made.has_turns);
  made.has_terms |= pl_sum_differs(r, &made.at, &made.has_turns);
  pl_cell_sum root = {.n = 1, .items = {{.symbol = from}}};
  made.has_terms |= pl_sum_differs(r, &root, &made.has_turns);
  if (to->local)
    begin_anew(r, to->local);
  replace(r, &made);
  PL_PUSH(r->arena, r->fills, r->nfills, r->fills_cap, made);
  if (is_bytes(&made))
    PL_PUSH(r->arena, r->seen, r->nseen, r->seen_cap, made);
}

/* `make_float4(...)`, `__float2half(...)` */
static bool makes_constant(const pl_node *call) {
  return call->kind == PL_NODE_CALL &&
         (pl_str_starts(call->name, "make_") ||
          (pl_str_starts(call->name, "__") && (pl_str_has(call->name, "2half") ||
                                               pl_str_has(call->name, "2bfloat16"))));
}

/* `0.0f`, `T(1)`, `make_float4(0, 0, 0, 0)` */
static bool is_constant(const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  bool made = makes_constant(node) || node->kind == PL_NODE_CONSTRUCT ||
              node->kind == PL_NODE_INIT_LIST || node->kind == PL_NODE_CAST;
  for (uint32_t i = node->kind == PL_NODE_CALL; made && i < node->nkids; i++)
    if (!node->kids[i] || !is_constant(node->kids[i]))
      return false;
  return made || node->kind == PL_NODE_FLOATING || node->kind == PL_NODE_INT;
}

bool pl_is_zeros(const pl_cell_reading *r, const pl_node *node) {
  node = pl_node_bare((pl_node *)node);
  if (node->kind == PL_NODE_INT)
    return node->has_ival && node->ival == 0;
  if (node->kind == PL_NODE_FLOATING)
    return strtod(pl_arena_cstr(r->arena, pl_unit_slice(r->unit, node->range)), NULL) == 0;
  bool listed = (node->kind == PL_NODE_INIT_LIST || node->kind == PL_NODE_CONSTRUCT ||
                 node->kind == PL_NODE_CAST) && node->type && !node->type->is_user;
  bool made = listed || makes_constant(node);
  for (uint32_t i = !listed; made && i < node->nkids; i++)
    if (!node->kids[i] || !pl_is_zeros(r, node->kids[i]))
      return false;
  return made;
}

/* Of other iterations, by names of their own. */
static pl_cell_fill of_others(pl_cell_reading *r, pl_cell_fill f) {
  for (int i = 0; i < r->most_loops; i++)
    f = renamed(r, f, pl_arena_printf(r->arena, "n%d", i).p);
  return f;
}

pl_cell_fill pl_cell_of_others(pl_cell_reading *r, pl_cell_fill f) {
  for (int i = 0, n = r->counters; i < n; i++)
    f = renamed(r, f, pl_arena_printf(r->arena, "m%d", i).p);
  return of_others(r, f);
}

/* Of any of those iterations. */
static const pl_iset *of_any(const pl_cell_reading *r, const pl_iset *set, int first) {
  const char **gone = PL_NEW_ARRAY(r->arena, const char *, r->counters + 1);
  size_t n = 0;
  for (int i = first; i < r->counters; i++)
    gone[n++] = pl_arena_printf(r->arena, "m%d", i).p;
  return n ? pl_iset_project(set, gone, n) : set;
}

/* What is stored of a variable, and where of each of its bytes that is not known yet. */
typedef struct taking {
  const pl_cell_place *to, *from;
  const pl_iset *path;
  bool is_record; /* what it has not been given is nothing's */
  const pl_iset *left[MOST_BYTES];
} taking;

/* Some bytes of a fill, which begins `by` bytes behind what is taken. */
static void take_bytes(pl_cell_reading *r, taking *t, const pl_cell_fill *f, int64_t by,
                       int first) {
  int64_t low = by > 0 ? by : 0, end = by + f->width < t->to->size ? by + f->width : t->to->size;
  bool whole = low == by && end == by + f->width;
  bool bytes = is_bytes(f);
  if (low >= end || pl_iset_is_empty(r->path) == PL_YES)
    return;
  pl_cell_place to = *t->to;
  to.at = pl_sum_add(to.at, pl_number_sum(r, low), 1);
  to.size = end - low;
  if (!whole && !bytes && !pl_str_is(f->from, "=0"))
    add_fill(r, &to, PL_STR("~"), pl_cell_slice(r, f, low - by, end - low), end - low);
  else
    add_fill(r, &to, f->from,
             bytes ? pl_sum_add(f->at, pl_number_sum(r, low - by), 1) : f->at, end - low);
  const pl_iset *any = of_any(r, pl_cell_set_at_ends(r, r->path, t->path), first);
  for (int64_t i = low; i < end && i < MOST_BYTES; i++)
    t->left[i] = pl_iset_minus(t->left[i], any);
}

/* ... of one that lies at a place that hangs on the iteration. */
static void take_element(pl_cell_reading *r, taking *t, const pl_cell_fill *f, int first) {
  pl_cell_place to = *t->to;
  pl_cell_sum since = pl_sum_add(f->to, t->from->at, -1);
  const pl_iform *by = since.is_known ? pl_sum_affine(r, &since) : NULL;
  const pl_iset *begins = pl_iset_compare(by, PL_OP_GE, pl_iform_number(r->ints, 0));
  const pl_iset *ends = pl_iset_compare(by, PL_OP_LE, pl_iform_number(r->ints, to.size - f->width));
  const pl_iset *meets =
      pl_iset_and(pl_iset_compare(by, PL_OP_GT, pl_iform_number(r->ints, -f->width)),
                  pl_iset_compare(by, PL_OP_LT, pl_iform_number(r->ints, to.size)));
  r->path = pl_iset_and(r->path, meets);
  to.at = pl_sum_add(to.at, since, 1);
  to.size = f->width;
  if (!by || pl_iset_is_subset(r->path, pl_iset_and(begins, ends)) != PL_YES)
    return lose(r);
  add_fill(r, &to, f->from, f->at, f->width);
  for (int64_t i = 0; i < t->to->size && i < MOST_BYTES; i++) {
    const pl_iset *here =
        pl_iset_and(pl_iset_compare(by, PL_OP_LE, pl_iform_number(r->ints, i)),
                    pl_iset_compare(by, PL_OP_GT, pl_iform_number(r->ints, i - f->width)));
    const pl_iset *some = pl_cell_set_at_ends(r, pl_iset_and(r->path, here), t->path);
    t->left[i] = pl_iset_minus(t->left[i], of_any(r, some, first));
  }
}

/* Whether another turn of a loop around here than this one may have put something there by a
 * fill. */
static bool may_be_of_other_turn(pl_cell_reading *r, const pl_cell_fill *f,
                                 const pl_cell_place *at) {
  const int first = r->counters;
  const pl_iset *apart = NULL;
  pl_cell_fill other = of_others(r, *f);
  for (int k = 0; k < loops_in_common(r, f->run); k++) {
    const char *own = pl_arena_printf(r->arena, "n%d", k).p;
    const pl_iset *differs = pl_iset_compare(
        pl_iform_name(r->ints, own), PL_OP_NE,
        pl_iform_name(r->ints, pl_arena_printf(r->arena, "m%d", first + k).p));
    if (pl_sum_hangs_on(r, &f->to, own))
      apart = apart ? pl_iset_or(apart, differs) : differs;
  }
  pl_cell_sum since = pl_sum_add(at->at, other.to, -1);
  const pl_iset *both = pl_iset_and(pl_iset_and(r->path, other.within),
                                    pl_cell_overlap(r, &since, other.width, at->size));
  r->counters = first;
  return apart && pl_iset_is_empty(pl_iset_and(both, apart)) != PL_YES;
}

static void take_fill(pl_cell_reading *r, taking *t, pl_cell_fill f, const way *was) {
  int first = r->counters;
  int64_t by = 0;
  pl_cell_sum since = pl_sum_add(f.to, t->from->at, -1);
  bool fixed = pl_sum_is_number(&since, &by);
  bool same = f.width == t->to->size && (fixed || !t->is_record);
  if (same ? !pl_same_sum(&f.to, &t->from->at, was->path) : !fixed && !t->is_record) {
    if (may_be_of_other_turn(r, &f, t->from))
      return lose(r);
    pl_cell_of_ended(r, &f);
  }
  r->path = pl_iset_and(was->path, f.within);
  if (same && !fixed)
    r->path = pl_iset_and(r->path, pl_iset_compare(pl_sum_affine(r, &f.to), PL_OP_EQ,
                                                   pl_sum_affine(r, &t->from->at)));
  r->has_terms |= f.has_terms;
  r->has_turns |= f.has_turns;
  pl_cell_note_older(r, &f, t->from);
  if (!r->path)
    lose(r);
  else if (same || fixed)
    take_bytes(r, t, &f, by, first);
  else if (pl_iset_is_empty(r->path) != PL_YES)
    take_element(r, t, &f, first);
  back_to(r, *was);
}

/* What it was given elsewhere it still holds. */
static void drop_here(pl_cell_reading *r, const pl_decl *local) {
  for (size_t i = 0; i < r->nfills; i++)
    if (r->fills[i].local == local) {
      r->fills[i].within = pl_iset_minus(r->fills[i].within, r->path);
      r->fills[i].has_terms |= r->has_terms;
      r->fills[i].has_turns |= r->has_turns;
    }
}

/* What a variable was given, in the iterations that gave it to that part of it: something,
 * wherever it is stored. `type`: of what is stored; NULL: bytes. */
static void store_local(pl_cell_reading *r, const pl_cell_place *to, const pl_type *type,
                        const pl_cell_place *from) {
  const way was = way_of(r);
  const kept_fills kept = keep(r);
  int64_t all, n = to->size < MOST_BYTES ? to->size : MOST_BYTES;
  taking t = {.to = to, .from = from, .path = r->path,
              .is_record = to->local && to->local != from->local &&
                           to->local->type->kind == PL_TYPE_RECORD &&
                           (!type || pl_no_reference(type)->kind == PL_TYPE_RECORD) &&
                           pl_sum_is_number(&to->at, &all) && !all &&
                           to->size == to->local->type->size};
  bool found = false;
  for (int64_t i = 0; i < n; i++)
    t.left[i] = r->path;
  if (t.is_record)
    drop_here(r, to->local);
  for (size_t i = 0; i < kept.n; i++) {
    if (!kept.items[i].local || kept.items[i].local != from->local)
      continue;
    found = true;
    take_fill(r, &t, kept.items[i], &was);
  }
  bool open = !found || (to->size > MOST_BYTES && !t.is_record);
  for (int64_t i = 0; i < n && !open && !t.is_record; i++)
    open = pl_iset_is_empty(t.left[i]) != PL_YES;
  if (open)
    lose(r);
}

/* ---- what turns leave -------------------------------------------------------------- */

bool pl_cell_is_run_in(const pl_cell_reading *r, int run, int in) {
  while (run && run != in)
    run = r->runs[run - 1];
  return run == in;
}

static bool sum_has(const pl_cell_sum *s, const char *name) {
  for (size_t i = 0; i < s->n; i++)
    if (pl_iform_has(s->items[i].by, name))
      return true;
  return false;
}

/* Where some turn is in a set, or each one. */
static const pl_iset *of_turns(const pl_iset *set, const pl_iset *all, const char *n, bool each) {
  const char *const gone[] = {n};
  return each ? pl_iset_minus(all, pl_iset_project(pl_iset_minus(all, set), gone, 1))
              : pl_iset_project(set, gone, 1);
}

/* Whether a later turn may put something by another fill, or the same, where a turn has put
 * something by one. */
static bool is_put_over(pl_cell_reading *r, const pl_cell_fill *f, const pl_cell_fill *g,
                        const char *n) {
  const char *other = pl_arena_printf(r->arena, "m%d", r->counters).p;
  const pl_cell_fill later = renamed(r, *g, n);
  r->counters--; /* the name stands here alone */
  pl_cell_sum apart = pl_sum_add(later.to, f->to, -1);
  const pl_iform *by = apart.is_known ? pl_sum_affine(r, &apart) : NULL;
  if (!by)
    return !sum_has(&f->to, n) && !sum_has(&g->to, n);
  const pl_iset *over =
      pl_iset_and(pl_iset_compare(by, PL_OP_LT, pl_iform_number(r->ints, f->width)),
                  pl_iset_compare(by, PL_OP_GT, pl_iform_number(r->ints, -g->width)));
  const pl_iset *both = pl_iset_and(
      pl_iset_and(f->within, later.within),
      pl_iset_and(pl_iset_compare(pl_iform_name(r->ints, n), PL_OP_LT,
                                  pl_iform_name(r->ints, other)), over));
  return pl_iset_is_empty(both) != PL_YES;
}

/* Of what is no variable's any more. */
static const pl_decl nobody;

void pl_cell_note_older(pl_cell_reading *r, const pl_cell_fill *f, const pl_cell_place *at) {
  if (!r->run || f->local->type->kind != PL_TYPE_ARRAY || pl_cell_is_run_in(r, f->run, r->run))
    return;
  pl_cell_older made = {*f, at->at, at->size, pl_iset_and(r->path, f->within), r->run};
  PL_PUSH(r->arena, r->olders, r->nolders, r->olders_cap, made);
}

/* Whether an earlier turn of a loop that ends has stored where a turn of it has read what was
 * there ahead of the loop. */
static bool is_older_in(pl_cell_reading *r, const pl_cell_older *o, const char *n, int run) {
  const int first = r->counters;
  bool found = false;
  if (!pl_cell_is_run_in(r, o->run, run) || pl_cell_is_run_in(r, o->fill.run, run))
    return false;
  for (size_t i = 0; i < r->nfills && !found; i++) {
    if (r->fills[i].local != o->fill.local || !pl_cell_is_run_in(r, r->fills[i].run, run))
      continue;
    const pl_cell_fill earlier = of_others(r, r->fills[i]);
    const char *turn = pl_arena_printf(r->arena, "m%d", first + (int)strtol(n + 1, NULL, 10)).p;
    pl_cell_sum since = pl_sum_add(o->at, earlier.to, -1);
    const pl_iset *both =
        pl_iset_and(pl_iset_and(o->within, earlier.within),
                    pl_iset_and(pl_cell_overlap(r, &since, earlier.width, o->size),
                                pl_iset_compare(pl_iform_name(r->ints, turn), PL_OP_LT,
                                                pl_iform_name(r->ints, n))));
    found = pl_iset_is_empty(both) != PL_YES;
    r->counters = first;
  }
  return found;
}

/* Whether a fill of a loop and another one of it change places from turn to turn: which of
 * them comes last is not known. */
static bool is_mixed(pl_cell_reading *r, size_t which, const char *n, int run) {
  const pl_cell_fill *f = &r->fills[which];
  bool mixed = false;
  for (size_t i = 0; i < r->nfills && !mixed; i++) {
    const pl_cell_fill *g = &r->fills[i];
    if (i != which && g->local == f->local && pl_cell_is_run_in(r, g->run, run))
      mixed = is_put_over(r, f, g, n) || is_put_over(r, g, f, n);
  }
  return mixed;
}

/* What each turn puts elsewhere is there; what several put at one place is what the last one
 * has put there, which is known where they put the same. What was there is where none did. */
static void leave_turns(pl_cell_reading *r, pl_cell_fill *f, const char *n, bool inside,
                        bool mixed) {
  pl_cell_sum root = {.is_known = true, .n = 1, .items = {{.symbol = f->from}}};
  bool turns = f->has_turns, terms, apart = sum_has(&f->to, n);
  terms = pl_sum_has_terms(r, &f->to, &turns);
  pl_sum_has_terms(r, &f->at, &turns);
  pl_sum_has_terms(r, &root, &turns);
  bool known = !turns && !mixed && !(inside && sum_has(&f->at, n));
  if (!mixed && (terms || (apart && (known || !inside || !is_put_over(r, f, f, n))) ||
                 !(pl_iset_has(f->within, n) || sum_has(&f->at, n))))
    return;
  if (!known)
    f->local = &nobody; /* it was fetched all the same */
  else
    f->within = of_turns(f->within, pl_iset_all(r->ints), n, !inside);
}

/* Nothing finds behind a loop what variables of its body held. */
static void end_scope(pl_cell_reading *r, const pl_node *body) {
  for (size_t i = 0; i < r->nfills; i++) {
    const pl_decl *local = r->fills[i].local;
    if (local && local->node && !local->is_static &&
        pl_range_inside(local->range, body->range))
      r->fills[i].local = &nobody;
  }
}

void pl_leave_turns(pl_cell_reading *r, const pl_node *body, const char *n, int run) {
  for (size_t i = 0; i < r->nolders; i++)
    r->is_lost |= is_older_in(r, &r->olders[i], n, run);
  end_scope(r, body);
  bool *mixed = PL_NEW_ARRAY(r->arena, bool, r->nfills + 1);
  for (size_t i = 0; i < r->nfills; i++)
    mixed[i] = r->fills[i].local && r->fills[i].local != &nobody &&
               pl_cell_is_run_in(r, r->fills[i].run, run) &&
               is_mixed(r, i, n, run);
  for (size_t i = 0; i < r->nfills; i++)
    if (r->fills[i].local && r->fills[i].local != &nobody)
      leave_turns(r, &r->fills[i], n, pl_cell_is_run_in(r, r->fills[i].run, run), mixed[i]);
}

static pl_cell_place own_place(const pl_cell_reading *r, const pl_decl *decl) {
  return (pl_cell_place){true, 0, decl, {0}, pl_number_sum(r, 0), decl->type->size, decl};
}

void pl_cell_give(pl_cell_reading *r, const pl_decl *decl, pl_cell_sum value) {
  const pl_cell_place to = own_place(r, decl);
  drop_local(r, decl);
  add_fill(r, &to, PL_STR("~"), value, to.size);
}

pl_cell_sum pl_cell_given(pl_cell_reading *r, const pl_decl *decl) {
  const pl_cell_place at = own_place(r, decl);
  return pl_content_of(r, &at);
}

/* A truth, by where it holds. */
static bool store_truth(pl_cell_reading *r, const pl_cell_place *to, pl_node *value) {
  const way was = way_of(r);
  const pl_iset *yes = pl_cell_condition(r, value);
  for (int no = 0; no < 2 && yes; no++) {
    r->path = no ? pl_iset_minus(was.path, yes) : pl_iset_and(was.path, yes);
    if (pl_iset_is_empty(r->path) != PL_YES)
      add_fill(r, to, no ? PL_STR("=0") : PL_STR("=1"), pl_number_sum(r, 0), to->size);
  }
  back_to(r, was);
  return yes != NULL;
}

/* What is made of a number in the place's own type: of a choice, of each of those that it is one
 * of, where it is that. */
static void store_number(pl_cell_reading *r, const pl_cell_place *to, const pl_type *type,
                         const pl_cell_sum *sum, const pl_type *from) {
  const pl_cell_made *choice = pl_cell_choice(r, sum);
  const way was = way_of(r);
  int64_t number;
  for (size_t i = 0; choice && i < choice->nparts; i++) {
    r->path = pl_iset_and(was.path, choice->where[i]);
    r->has_terms |= choice->has_threads;
    r->has_turns |= choice->has_turns;
    store_number(r, to, type, &choice->parts[i], from);
    back_to(r, was);
  }
  if (choice)
    return;
  if (pl_sum_is_number(sum, &number) && !number && type && pl_cell_kind_of(type)[0])
    add_fill(r, to, PL_STR("=0"), pl_number_sum(r, 0), to->size);
  else
    add_fill(r, to, PL_STR("~"), pl_converted(r, *sum, from, type), to->size);
}

static void store_term(pl_cell_reading *r, const pl_cell_place *to, const pl_type *type,
                       pl_node *value) {
  const pl_cell_sum sum = pl_sum_of(r, value);
  store_number(r, to, type, &sum, value->type);
}

static void store(pl_cell_reading *r, const pl_cell_place *to, const pl_type *type,
                  pl_node *value);

static void store_choice(pl_cell_reading *r, const pl_cell_place *to, const pl_type *type,
                         const pl_node *value) {
  const way was = way_of(r);
  const pl_iset *yes = pl_cell_condition(r, value->kids[0]);
  for (int arm = 0; arm < 2 && yes; arm++) {
    r->path = arm ? pl_iset_minus(was.path, yes) : pl_iset_and(was.path, yes);
    store(r, to, type, value->kids[1 + arm]);
  }
  back_to(r, was);
  if (!yes)
    lose(r);
}

static void call_function(pl_cell_reading *r, const pl_node *node, const pl_cell_place *to,
                          const pl_type *type);

/* Stores what a function gives back whose body is read; false: it is not. */
static bool try_call(pl_cell_reading *r, const pl_cell_place *to, const pl_type *type,
                     pl_node *value) {
  if (r->is_lost || !pl_is_readable(r, value))
    return false;
  const kept_fills kept = keep(r);
  call_function(r, value, to, type);
  if (r->is_lost)
    restore(r, &kept);
  else
    return true;
  return false;
}

/* Whether a part of what lies there is what the load has given it since: bytes as they are say
 * what it was. */
static bool is_given(const pl_cell_reading *r, const pl_cell_place *from) {
  return !from->object && !from->local && from->of && pl_cell_is_filled(r, from->of);
}

/* A value, copied as it is. */
static void store(pl_cell_reading *r, const pl_cell_place *to, const pl_type *type,
                  pl_node *value) {
  value = pl_node_bare(value);
  if (value->kind == PL_NODE_BINARY && value->op == PL_OP_COMMA) {
    pl_run_fills(r, value->kids[0]);
    return store(r, to, type, value->kids[1]);
  }
  if (value->kind == PL_NODE_COND) {
    store_choice(r, to, type, value);
    return;
  }
  if (value->kind == PL_NODE_ASSIGN && value->op == PL_OP_ASSIGN && type &&
      pl_same_type(pl_no_reference(value->kids[0]->type), type)) {
    pl_run_fills(r, value);
    store(r, to, type, value->kids[1]);
    return;
  }
  if (to->local && type && type->kind == PL_TYPE_BOOL && store_truth(r, to, value))
    return;
  if (value->kind == PL_NODE_REF && value->decl && pl_beginning_of(value) &&
      is_constant(pl_beginning_of(value)))
    value = pl_node_bare(pl_beginning_of(value));
  if (pl_is_wide_integer(type) && value->type && value->type->kind == PL_TYPE_INT &&
      !pl_node_is_zero(value)) {
    pl_cell_sum sum = pl_sum_of(r, value);
    bool turns;
    if (sum.is_known && !pl_sum_has_terms(r, &sum, &turns))
      return store_term(r, to, type, value);
  }
  if (is_constant(value)) {
    pl_str text = pl_is_zeros(r, value) ? PL_STR("0") : pl_unit_slice(r->unit, value->range);
    add_fill(r, to, pl_arena_printf(r->arena, "=%.*s", PL_FMT(text)),
             pl_number_sum(r, 0), to->size);
    return;
  }
  while (value->kind == PL_NODE_CONSTRUCT && value->nkids == 1 && value->kids[0] &&
         value->type && value->type->kind == PL_TYPE_RECORD)
    value = pl_node_bare(value->kids[0]);
  if (value->kind == PL_NODE_CALL && try_call(r, to, type, value))
    return;
  pl_cell_place from = pl_cell_place_of(r, value);
  bool plain = from.is_known && !from.object && value->type && type &&
               pl_same_type(value->type, type);
  if (plain && from.local)
    store_local(r, to, type, &from);
  else if (plain && !is_given(r, &from))
    add_fill(r, to, from.root, from.at, to->size);
  else
    store_term(r, to, type, value);
}

static bool is_known_by_turns(const pl_cell_reading *r, const pl_node *loop,
                              const pl_decl *decl) {
  for (size_t i = 0; i < r->ncarried; i++)
    if (r->carried[i].decl == decl && r->carried[i].loop == loop)
      return true;
  return false;
}

/* Whether an iteration of a loop around may read what an earlier one has stored in a
 * variable, and what that is is not known. */
static bool is_carried(const pl_cell_reading *r, const pl_node *node, const pl_decl *decl) {
  for (const pl_node *up = node->parent; up; up = up->parent) {
    if (up != r->part && pl_node_within(r->part, up))
      return false; /* no fill of another tile's is known */
    const pl_node *init = up->kind == PL_NODE_FOR ? up->kids[0] : NULL;
    if (pl_node_is_loop(up) && !(init && pl_node_within(node, init)) &&
        !(decl->node && pl_node_within(decl->node, up)) &&
        decl->type->kind != PL_TYPE_ARRAY && !is_known_by_turns(r, up, decl) &&
        pl_is_read_first(r->effects, r->func, pl_node_loop_body(up), decl))
      return true;
  }
  return false;
}

/* Whether each iteration of the loop around stores to a part of its own. */
static bool has_own_part(const pl_cell_reading *r, const pl_cell_place *to) {
  const pl_iform *at = pl_sum_affine(r, &to->at);
  return at && r->loops &&
         pl_iform_has(at, pl_arena_printf(r->arena, "n%d", r->loops - 1).p);
}

static bool has_place(const pl_decl *decl) {
  return decl->type && decl->type->kind == PL_TYPE_POINTER;
}

/* What a variable of numbers or addresses is from here on, wherever this is. */
static pl_cell_variable value_here(pl_cell_reading *r, const pl_decl *decl, pl_node *value) {
  pl_cell_variable made = {.decl = decl, .is_place = has_place(decl), .within = r->path,
                           .is_end = pl_cell_is_moved_on(r, decl)};
  if (made.is_place)
    made.place = pl_place_led_to(r, value);
  else
    made.value = pl_sum_of(r, value);
  return made;
}

/* Whether that is said by what it is bound to: addresses, or what the next tile begins
 * with. */
static bool is_bound(const pl_cell_reading *r, const pl_decl *decl) {
  bool moved_on = pl_cell_is_moved_on(r, decl);
  return decl->type && !pl_is_never_set(decl) && (!moved_on || r->moves_on) &&
         (has_place(decl) || (moved_on && pl_is_wide_integer(decl->type)));
}

/* A step of what a loop counts, or of what is bound; false: it is none. */
static bool count(pl_cell_reading *r, pl_node *node) {
  pl_cell_step step;
  const pl_decl *decl = pl_cell_is_step(node, &step) ? step.decl : NULL;
  const pl_cell_variable *bound = decl ? pl_cell_bound_to(r, decl) : NULL;
  bool counted = bound && bound->is_counted;
  if (!decl || (!counted && !is_bound(r, decl)))
    return false;
  pl_cell_variable made = counted ? *bound : value_here(r, decl, pl_node_bare(node->kids[0]));
  pl_cell_sum by = pl_cell_step_of(r, node);
  made.value = pl_sum_add(made.value, by, 1);
  made.place.at = pl_sum_add(made.place.at, by, 1);
  made.place.is_known &= made.place.at.is_known;
  drop_local(r, decl);
  pl_cell_bind(r, made);
  return true;
}

/* `p = a + i`: what it is bound to, once what it gives is a fill as well. NULL: it is none. */
static const pl_cell_variable *bound_anew(pl_cell_reading *r, const pl_decl *decl, pl_node *value) {
  if (!is_bound(r, decl))
    return NULL;
  pl_cell_variable *made = PL_NEW(r->arena, pl_cell_variable);
  *made = value_here(r, decl, value);
  return made;
}

/* An address that so many elements are added to. */
static pl_cell_sum stepped(pl_cell_reading *r, pl_node *node) {
  pl_node *left = pl_node_bare(node->kids[0]);
  int64_t size = left->type->element ? left->type->element->size : 0;
  bool unary = node->kind == PL_NODE_UNARY;
  bool down = node->op == PL_OP_SUB || node->op == PL_OP_PREDEC || node->op == PL_OP_POSTDEC;
  if (size <= 0 || (!unary && !down && node->op != PL_OP_ADD))
    return (pl_cell_sum){0};
  pl_cell_place to = pl_place_led_to(r, left);
  pl_cell_sum by = unary ? pl_number_sum(r, 1) : pl_sum_of(r, node->kids[1]);
  to.at = pl_sum_add(to.at, pl_sum_times(r, by, pl_number_sum(r, size)), down ? -1 : 1);
  return pl_cell_address(r, &to);
}

/* Whether what an assignment computes is computed in the type of what it is assigned to. */
static bool computes_alike(const pl_type *type, const pl_type *by) {
  return pl_is_wide_integer(type) && by && by->kind == PL_TYPE_INT && by->size <= type->size &&
         (by->is_unsigned == type->is_unsigned || by->size < 4);
}

/* What a place holds once something is done to what it has held. */
static pl_cell_sum changed(pl_cell_reading *r, pl_node *node) {
  const pl_node *left = pl_node_bare(node->kids[0]);
  if (left->type && left->type->kind == PL_TYPE_POINTER)
    return stepped(r, node);
  const pl_cell_sum was = pl_sum_of(r, (pl_node *)left);
  bool unary = node->kind == PL_NODE_UNARY, whole = pl_is_wide_integer(left->type);
  bool down = node->op == PL_OP_SUB || node->op == PL_OP_PREDEC || node->op == PL_OP_POSTDEC;
  if (unary && !whole)
    return (pl_cell_sum){0};
  const pl_cell_sum parts[] = {was, unary ? pl_number_sum(r, 1) : pl_sum_of(r, node->kids[1])};
  if (!unary && computes_alike(left->type, node->kids[1]->type)) {
    pl_cell_sum made = pl_sum_combined(r, node, &parts[0], &parts[1]);
    if (made.is_known)
      return made;
  }
  if (whole && (unary || ((down || node->op == PL_OP_ADD) && node->kids[1]->type &&
                          node->kids[1]->type->kind != PL_TYPE_FLOAT)))
    return pl_sum_add(was, parts[1], down ? -1 : 1);
  return pl_term(r, pl_arena_printf(r->arena, "%s=", pl_op_name(node->op)), parts, 2);
}

/* A part of an object that the load moves on for the next tile is as a variable of its own:
 * none that a turn of a loop may have set. */
static pl_cell_place of_moved(const pl_cell_reading *r, pl_cell_place to) {
  int64_t at;
  if (!to.is_known || to.object || to.local || !to.of || !r->moves_on || r->loops ||
      !to.of->type || to.of->type->kind != PL_TYPE_RECORD || !pl_cell_is_moved_on(r, to.of) ||
      !pl_cell_names_member(&to, &at))
    return to;
  to.local = to.of;
  to.root = (pl_str){0};
  return to;
}

/* Gives a place a value: so many bytes of it, by whatever is done to what it holds. */
static void give(pl_cell_reading *r, pl_node *node) {
  pl_node *left = pl_node_bare(node->kids[0]);
  pl_cell_place is = pl_cell_place_of(r, left), to = of_moved(r, is);
  if ((!to.object && !to.local) || (to.local && !is.local && !to.is_known) ||
      (is.local && !has_own_part(r, &to) && is_carried(r, node, to.local))) {
    lose(r);
  } else if (node->kind == PL_NODE_ASSIGN && node->op == PL_OP_ASSIGN) {
    store(r, &to, left->type, node->kids[1]);
  } else if (to.local) {
    add_fill(r, &to, PL_STR("~"), changed(r, node), to.size);
  } else {
    lose(r);
  }
}

static void assign(pl_cell_reading *r, pl_node *node) {
  const pl_node *left = pl_node_bare(node->kids[0]);
  if (count(r, node))
    return;
  const pl_cell_variable *made = left->kind == PL_NODE_REF && left->decl &&
                                         node->op == PL_OP_ASSIGN
                                     ? bound_anew(r, left->decl, node->kids[1]) : NULL;
  if (!made || !pl_cell_is_moved_on(r, left->decl))
    give(r, node);
  if (made)
    pl_cell_bind(r, *made);
}

/* Some bytes, and behind them zeros: how many those are may hang on a condition. */
static void copy_some(pl_cell_reading *r, const pl_cell_place *to, const pl_cell_place *from,
                      int64_t width, pl_node *zeros) {
  zeros = pl_node_bare(zeros);
  int64_t none = 0;
  if (zeros->kind == PL_NODE_COND) {
    const way was = way_of(r);
    const pl_iset *yes = pl_cell_condition(r, zeros->kids[0]);
    for (int arm = 0; arm < 2 && yes; arm++) {
      r->path = arm ? pl_iset_minus(was.path, yes) : pl_iset_and(was.path, yes);
      copy_some(r, to, from, width, zeros->kids[1 + arm]);
    }
    back_to(r, was);
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

/* Whether a call writes shared memory alone. */
static bool only_stores(const pl_cell_reading *r, pl_node *call) {
  pl_effects effects = {0};
  pl_effects_of(r->effects, r->func, call, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *e = &effects.items[i];
    if (e->kind != PL_EFFECT_READ &&
        (e->kind != PL_EFFECT_WRITE || e->space == PL_SPACE_LOCAL))
      return false;
  }
  return true;
}

/* ---- calls ------------------------------------------------------------------------- */

/* A parameter that has a value of its own is a variable of the function's. `value`: NULL: its
 * default argument. */
static void hand_over(pl_cell_reading *r, const pl_decl *param, pl_node *value) {
  const pl_cell_place to = {true, 0, param, {0}, pl_number_sum(r, 0), param->type->size, NULL};
  bool lost = r->is_lost;
  drop_local(r, param);
  if (pl_is_reference(param->type) || param->type->kind == PL_TYPE_POINTER)
    return;
  if (!value)
    return add_fill(r, &to, PL_STR("~"), pl_term(r, pl_cell_unless_given(r, param), NULL, 0),
                    to.size);
  store(r, &to, param->type, value);
  if (r->is_lost && !lost) {
    r->is_lost = false;
    drop_local(r, param);
  }
}

/* What a function does with what it is handed: a part of the load. `to`: what gets the value
 * that it gives back; NULL: nothing does. */
static void call_function(pl_cell_reading *r, const pl_node *node, const pl_cell_place *to,
                          const pl_type *type) {
  pl_cell_call call;
  const pl_cell_reading was = *r;
  const pl_func *callee = pl_is_readable(r, node) ? pl_cell_callee_of(node) : NULL;
  for (uint32_t i = 0; callee && i < callee->nparams; i++)
    hand_over(r, callee->params[i], i + 1 < node->nkids ? node->kids[i + 1] : NULL);
  const pl_node *body = pl_enter_call(r, node, &call);
  if (!body)
    return lose(r);
  r->gone = r->broken = NULL;
  r->switch_loops = -1;
  r->result = to;
  r->result_type = type;
  r->result_loops = r->loops;
  for (uint32_t i = 0; i < body->nkids; i++)
    pl_run_fills(r, body->kids[i]);
  bool open = to && (!r->gone || pl_iset_is_subset(r->path, r->gone) != PL_YES);
  if (r->gone)
    back_to(r, way_of(&was));
  r->gone = was.gone;
  r->broken = was.broken;
  r->switch_loops = was.switch_loops;
  r->result = was.result;
  r->result_type = was.result_type;
  r->result_loops = was.result_loops;
  r->is_lost |= open;
  pl_leave_call(r, &call);
}

pl_cell_sum pl_value_of_call(pl_cell_reading *r, pl_node *node) {
  static const pl_cell_sum unknown;
  const pl_type *type = node->type;
  if (r->is_lost || r->ahead || !type || type->size <= 0 || pl_is_reference(type) ||
      !pl_is_readable(r, node) || !pl_gives_alone(r, node))
    return unknown;
  const kept_fills kept = keep(r);
  pl_decl *value = PL_NEW(r->arena, pl_decl);
  *value = (pl_decl){.kind = PL_DECL_VAR, .name = PL_STR("(value)"), .type = type};
  const pl_cell_place to = {true, 0, value, {0}, pl_number_sum(r, 0), type->size, value};
  call_function(r, node, &to, type);
  pl_cell_sum made = r->is_lost ? unknown : pl_content_of(r, &to);
  restore(r, &kept);
  return made;
}

/* `fill(tile, a, n)`: what it does to the object is what it is handed. */
static void call_by_term(pl_cell_reading *r, pl_node *node) {
  pl_cell_sum parts[PL_CELL_PARTS];
  size_t object = 0, n = 0;
  for (uint32_t i = 1; i < node->nkids; i++) {
    pl_cell_place at = node->kids[i] ? pl_place_led_to(r, node->kids[i]) : (pl_cell_place){0};
    bool other = object && at.object && at.object != object;
    if (n == PL_CELL_PARTS || !node->kids[i] || other)
      return lose(r);
    object = at.object ? at.object : object;
    parts[n++] = at.object ? at.at : pl_sum_of(r, node->kids[i]);
  }
  bool method = node->nkids && node->kids[0] &&
                pl_node_bare(node->kids[0])->kind == PL_NODE_MEMBER;
  if (!object || method || !only_stores(r, node))
    return lose(r);
  pl_cell_sum made =
      pl_term_by(r, node, pl_unit_slice(r->unit, node->kids[0]->range), parts, n);
  add_fill(r, &(pl_cell_place){true, object, NULL, {0}, made, 1, NULL}, PL_STR("~"), made, 1);
}

static void call(pl_cell_reading *r, pl_node *node) {
  const kept_fills kept = keep(r);
  call_function(r, node, NULL, NULL);
  if (!r->is_lost)
    return;
  restore(r, &kept);
  call_by_term(r, node);
}

/* 16 of `cuda::aligned_size_t<16>(n)`; of what is no number, `sizeof(T)`, 1 where it is the size
 * as well, word for word, else more than any size; 0: it is something else. */
static int64_t alignment_in(const pl_cell_reading *r, const pl_node *size) {
  const char *text = pl_arena_cstr(r->arena, pl_unit_slice(r->unit, size->range));
  const char *found = strstr(text, "aligned_size_t<");
  const char *from = found ? found + strlen("aligned_size_t<") : NULL;
  const char *to = from ? strstr(from, ">(") : NULL;
  int64_t number = from ? strtol(from, NULL, 10) : 0;
  bool same = to && strlen(to) == (size_t)(to - from) + 3 &&
              !strncmp(from, to + 2, (size_t)(to - from));
  return !from || number > 0 ? number : same ? 1 : INT64_MAX;
}

/* How many bytes `cuda::aligned_size_t<16>(n)` is of. */
static pl_node *bytes_in(const pl_cell_reading *r, pl_node *size, int64_t *aligned) {
  size = pl_node_bare(size);
  while (!size->has_ival &&
         (size->kind == PL_NODE_CONSTRUCT || size->kind == PL_NODE_CAST) &&
         size->nkids == 1) {
    *aligned = *aligned ? *aligned : alignment_in(r, size);
    size = pl_node_bare(size->kids[0]);
  }
  return size;
}

bool pl_is_group_copy(const pl_node *call) {
  return call->kind == PL_NODE_CALL && call->nkids == 6 &&
         pl_str_is(pl_last_name(call->name), "memcpy_async");
}

bool pl_copy_of(pl_cell_reading *r, const pl_node *call, int64_t *width, pl_node **zeros) {
  bool primitive = pl_str_is(pl_last_name(call->name), "__pipeline_memcpy_async");
  *zeros = primitive && call->nkids == 5 ? call->kids[4] : NULL;
  *width = 0;
  if (call->kind != PL_NODE_CALL || call->nkids < 4 || pl_is_group_copy(call) ||
      !call->kids[1] || !call->kids[2] ||
      !call->kids[3] ||
      (primitive ? call->nkids != 4 && !*zeros
                 : !pl_str_is(pl_last_name(call->name), "memcpy_async")))
    return false;
  int64_t aligned = 0;
  pl_node *size = bytes_in(r, call->kids[3], &aligned);
  pl_cell_sum bytes = pl_sum_of(r, size);
  pl_sum_is_number(&bytes, width);
  *width = aligned > *width ? 0 : *width;
  return true;
}

/* A range of bytes, which the block's threads copy together or one by a bulk copy: each of
 * its words, by a name of its own. `by`: what both have to begin at a multiple of, and its
 * size has to be one; 0: anywhere. */
static void copy_range(pl_cell_reading *r, pl_node *to_node, pl_node *from_node,
                       pl_node *size, int64_t by) {
  pl_cell_place to = pl_place_led_to(r, to_node), from = pl_place_led_to(r, from_node);
  int64_t aligned = 0;
  pl_node *bytes = bytes_in(r, size, &aligned);
  pl_cell_sum all = pl_sum_of(r, bytes);
  const pl_iform *end = all.is_known ? pl_sum_affine(r, &all) : NULL;
  int64_t unit = to.size > 0 && to.size <= 16 ? to.size : 4;
  const char *turn = pl_arena_printf(r->arena, "n%d", r->loops).p;
  r->most_loops = r->loops + 1 > r->most_loops ? r->loops + 1 : r->most_loops;
  const pl_iform *word = pl_iform_scale(pl_iform_name(r->ints, turn), unit);
  pl_cell_sum since = pl_form_sum(word);
  const way was = way_of(r);
  r->path = pl_iset_and(r->path, pl_iset_and(pl_iset_compare(word, PL_OP_GE,
                                                             pl_iform_number(r->ints, 0)),
                                             pl_iset_compare(word, PL_OP_LT, end)));
  if (!r->path || !end || !from.is_known || from.object || from.local || is_given(r, &from) ||
      (by && (aligned % by || !pl_is_aligned(r, &to, &from, by))) ||
      pl_iset_is_subset(was.path, pl_iset_compare(pl_iform_mod(end, by ? by : unit), PL_OP_EQ,
                                                  pl_iform_number(r->ints, 0))) != PL_YES)
    return lose(r);
  to.at = pl_sum_add(to.at, since, 1);
  add_fill(r, &to, from.root, pl_sum_add(from.at, since, 1), unit);
  back_to(r, was);
}

/* What keeps account of copies fills nothing (events_block.c). */
static bool is_account(const pl_node *call) {
  pl_str name = pl_last_name(pl_callee_name(call));
  return pl_str_is(name, "fence_proxy_async_shared_cta") ||
         pl_str_is(name, "barrier_expect_tx");
}

/* `memcpy(to, from, 16)` */
static bool try_bytes(pl_cell_reading *r, const pl_node *node, pl_str name) {
  bool own = pl_str_is(name, "memcpy") && node->decl && node->decl->is_user;
  if ((!pl_str_is(name, "memcpy") && !pl_str_is(name, "__builtin_memcpy")) ||
      node->nkids != 4 || own)
    return false;
  pl_cell_place to = pl_place_led_to(r, node->kids[1]), from = pl_place_led_to(r, node->kids[2]);
  pl_cell_sum size = pl_sum_of(r, node->kids[3]);
  bool fixed = pl_sum_is_number(&size, &to.size);
  if (!fixed || !from.is_known || from.object || is_given(r, &from))
    lose(r);
  else if (from.local)
    store_local(r, &to, NULL, &from);
  else
    add_fill(r, &to, from.root, from.at, to.size);
  return true;
}

static void copy(pl_cell_reading *r, pl_node *node) {
  pl_node *zeros;
  int64_t width;
  pl_str name = pl_last_name(pl_callee_name(node));
  if (try_bytes(r, node, name))
    return;
  if (pl_is_group_copy(node))
    return copy_range(r, node->kids[2], node->kids[3], node->kids[4], 0);
  if (pl_str_is(name, "memcpy_async_tx") && node->nkids == 5)
    return copy_range(r, node->kids[1], node->kids[2], node->kids[3], 16);
  if (is_account(node))
    return;
  if (!pl_copy_of(r, node, &width, &zeros)) {
    call(r, node);
    return;
  }
  pl_cell_place to = pl_place_led_to(r, node->kids[1]),
                from = pl_place_led_to(r, node->kids[2]);
  if (!width || !from.is_known || from.object || from.local || is_given(r, &from))
    lose(r);
  else if (zeros)
    copy_some(r, &to, &from, width, zeros);
  else
    add_fill(r, &to, from.root, from.at, width);
}

/* A number, or what it is given: of that which cannot be said nothing can be stored. */
static void declare_one(pl_cell_reading *r, const pl_node *var) {
  if (!var || var->kind != PL_NODE_VAR || !var->decl || !var->nkids || !var->kids[0])
    return;
  size_t before = r->nfills;
  bool lost = r->is_lost;
  begin_anew(r, var->decl);
  const pl_cell_variable *made = bound_anew(r, var->decl, var->kids[0]);
  const pl_cell_place to = {
      true, 0, var->decl, {0}, pl_number_sum(r, 0), var->decl->type->size, NULL};
  if (!made || !pl_cell_is_moved_on(r, var->decl))
    store(r, &to, var->decl->type, var->kids[0]);
  if (r->is_lost && !lost) {
    r->is_lost = false;
    r->nfills = before < r->nfills ? before : r->nfills;
  }
  if (made)
    pl_cell_bind(r, *made);
}

static void declare(pl_cell_reading *r, const pl_node *node) {
  for (uint32_t i = 0; i < node->nkids; i++)
    declare_one(r, node->kids[i]);
}

static void branch(pl_cell_reading *r, const pl_node *node) {
  const way was = way_of(r);
  const pl_iset *yes = pl_cell_condition(r, node->kids[0]);
  if (!yes) {
    lose(r);
    return;
  }
  if (node->kids[1])
    under(r, yes, node->kids[1], pl_run_fills);
  if (node->kids[2])
    under(r, pl_iset_minus(pl_iset_all(r->ints), yes), node->kids[2], pl_run_fills);
  back_to(r, was);
}

/* What follows is done elsewhere. */
static void leave(pl_cell_reading *r) {
  r->gone = r->gone ? pl_iset_or(r->gone, r->path) : r->path;
  r->gone_terms |= r->has_terms;
  r->gone_turns |= r->has_turns;
}

static void give_back(pl_cell_reading *r, const pl_node *node) {
  if (!r->calls || r->loops != r->result_loops)
    return lose(r);
  if (r->result && node->nkids && node->kids[0])
    store(r, r->result, r->result_type, node->kids[0]);
  leave(r);
}

/* A switch that is left goes on behind it. */
static void break_off(pl_cell_reading *r) {
  if (r->switch_loops != r->loops)
    return lose(r);
  r->broken = r->broken ? pl_iset_or(r->broken, r->path) : r->path;
  r->gone_terms |= r->has_terms;
  r->gone_turns |= r->has_turns;
}

static void stay(pl_cell_reading *r) {
  if (r->gone)
    r->path = pl_iset_minus(r->path, r->gone);
  if (r->broken)
    r->path = pl_iset_minus(r->path, r->broken);
  r->has_terms |= r->gone_terms;
  r->has_turns |= r->gone_turns;
}

/* Where a switch leads to a label; NULL: not known. `others`: where it leads to those with numbers;
 * to the default one, where it does not. */
static const pl_iset *leads_to(const pl_cell_reading *r, const pl_iform *value, const pl_node *label,
                               const pl_iset *others) {
  if (!label->kids[0])
    return pl_iset_minus(pl_iset_all(r->ints), others);
  return label->kids[0]->has_ival
             ? pl_iset_compare(value, PL_OP_EQ, pl_iform_number(r->ints, label->kids[0]->ival))
             : NULL;
}

/* Where it leads to some label of those that stand one behind another, or to any of a body. */
static const pl_iset *leads_in(const pl_cell_reading *r, const pl_iform *value, const pl_node *node,
                               const pl_iset *others) {
  const pl_iset *every = pl_iset_all(r->ints), *found = pl_iset_minus(every, every);
  for (; node && node->kind == PL_NODE_CASE; node = node->kids[1])
    if (node->kids[0] || others)
      found = pl_iset_or(found, leads_to(r, value, node, others));
  return found;
}

static bool is_label(pl_node *node, const void *context) {
  return node->kind == PL_NODE_CASE && node != context;
}

/* Each statement is done where the switch leads to a label ahead of it, and no break has led out
 * since. */
static void choose(pl_cell_reading *r, pl_node *node) {
  const way was = way_of(r);
  pl_node *body = node->nkids == 2 ? node->kids[1] : NULL;
  pl_cell_sum value = body ? pl_sum_of(r, node->kids[0]) : (pl_cell_sum){0};
  const pl_iform *form = value.is_known ? pl_sum_linear(r, &value) : NULL;
  const pl_iset *broken = r->broken, *every = pl_iset_all(r->ints);
  const pl_iset *others = pl_iset_minus(every, every), *entered = others;
  const int loops = r->switch_loops;
  if (!form || body->kind != PL_NODE_COMPOUND ||
      !pl_is_number_or_enum(pl_node_bare(node->kids[0])->type))
    return lose(r);
  for (uint32_t i = 0; i < body->nkids; i++)
    others = pl_iset_or(others, leads_in(r, form, body->kids[i], NULL));
  r->has_terms |= pl_sum_differs(r, &value, &r->has_turns);
  const way inside = way_of(r);
  r->broken = NULL;
  r->switch_loops = r->loops;
  for (uint32_t i = 0; i < body->nkids && others && !r->is_lost; i++) {
    pl_node *kid = body->kids[i];
    entered = pl_iset_or(entered, leads_in(r, form, kid, others));
    while (kid && kid->kind == PL_NODE_CASE)
      kid = kid->kids[1];
    back_to(r, inside);
    if (!entered || (kid && pl_node_find(kid, is_label, NULL)))
      lose(r);
    else if (kid)
      under(r, entered, kid, pl_run_fills);
  }
  if (!others)
    lose(r);
  r->broken = broken;
  r->switch_loops = loops;
  back_to(r, was);
}

void pl_run_fills(pl_cell_reading *r, pl_node *node) {
  if (r->is_lost || !node)
    return;
  if (r->gone || r->broken)
    stay(r);
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
  case PL_NODE_FOR:
  case PL_NODE_WHILE:
  case PL_NODE_DO: pl_run_loop(r, node); return;
  case PL_NODE_SWITCH: choose(r, node); return;
  case PL_NODE_BREAK: break_off(r); return;
  case PL_NODE_UNARY:
    if (!pl_node_is_step(node))
      lose(r);
    else if (!count(r, node))
      give(r, node);
    return;
  case PL_NODE_ASSIGN: assign(r, node); return;
  case PL_NODE_CALL: copy(r, node); return;
  case PL_NODE_RETURN: give_back(r, node); return;
  case PL_NODE_CONTINUE:
    if (!r->loops)
      return lose(r);
    leave(r);
    return;
  case PL_NODE_BINARY:
    if (node->op != PL_OP_COMMA)
      return lose(r);
    pl_run_fills(r, node->kids[0]);
    pl_run_fills(r, node->kids[1]);
    return;
  default: lose(r);
  }
}
