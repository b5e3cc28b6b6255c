/* certificate.c - the proof that a pipelined loop is the loop that it was made of.
 *
 * Needs: the events of both (events.h). Gives: whether (a) accesses that a barrier
 * ordered stay ordered, (b) each read finds the write that it found, (c) no cell is
 * read or written while a copy to it is in flight, (d) all threads come to each
 * barrier equally often; or the first that is not shown. Raises: nothing.
 *
 * Each question is whether a set of integers is empty: of T, of the rounds k1 and k2
 * in which two accesses are, for which something would be wrong. */
#include "cfg.h"
#include "events.h"
#include "remembered.h"

#define OPERATIONS 4000000ul

typedef struct check {
  pl_emitted *out;
  const pl_source_loop *source;
  pl_integers *ints;
  const pl_site *a, *b;  /* two accesses, of rounds k1 and k2 */
  const pl_iform *tile[2], *slot[2], *barriers[2];
  const pl_iset *both;   /* where both are */
  struct renamed {
    const pl_iform *tile, *slot, *barriers, *group;
    const pl_iset *when;
  } *in_round[2]; /* what the accesses are, of rounds k1 and k2 */
  const pl_iset **lands; /* of access and wait: where that says it has landed */
  bool is_apart;        /* different pointers lead apart */
  pl_effects **effects; /* of each access; NULL: not asked for yet */
  pl_effect *open; /* accesses to memory that all have, with no barrier of the text on
                      the side that is looked at */
  size_t nopen, open_cap;
} check;

static const pl_iform *number(const check *c, int64_t value) {
  return pl_iform_number(c->ints, value);
}

static const pl_iform *T(const check *c) { return pl_iform_name(c->ints, "T"); }

static const char *const rounds[] = {"k1", "k2", "k3"};

static const pl_iform *form_in(const pl_iform *form, int which) {
  return pl_iform_renamed(form, "k", rounds[which]);
}

static const pl_iset *set_in(const pl_iset *set, int which) {
  return pl_iset_renamed(set, "k", rounds[which]);
}

static bool is_never(const pl_iset *set) { return pl_iset_is_empty(set) == PL_YES; }

static bool is_in(const pl_iset *set, const pl_iset *of) {
  return pl_iset_is_subset(set, of) == PL_YES;
}

static const pl_cell_object *object_of(const check *c, const pl_site *site) {
  return &c->source->objects[site->object];
}

static pl_str name_of(const check *c, const pl_site *site) {
  const pl_decl *decl = object_of(c, site)->decl;
  return decl ? decl->name : PL_STR("global memory");
}

/* ---- order -------------------------------------------------------------------- */

/* When two things that a thread does in rounds k of their own come one after the
 * other. */
static const pl_iset *is_before(const check *c, pl_moment a, int ka, pl_moment b,
                                int kb) {
  const pl_iset *all = pl_iset_all(c->ints);
  const pl_iset *none = pl_iset_minus(all, all);
  if (a.section != b.section)
    return a.section < b.section ? all : none;
  if (a.section != 1)
    return a.at < b.at ? all : none;
  return pl_iset_compare(pl_iform_name(c->ints, rounds[ka]),
                         a.at < b.at ? PL_OP_LE : PL_OP_LT,
                         pl_iform_name(c->ints, rounds[kb]));
}

/* Barriers of the source ahead of an item's first access, or last one. */
static const pl_iform *source_barriers(const check *c, const pl_iform *tile,
                                       int within) {
  return pl_iform_add(pl_iform_scale(tile, c->source->barriers),
                      number(c, within));
}

static const pl_item *item_of(const check *c, const pl_site *site) {
  return &c->source->items[site->item];
}

/* Some barrier of the source may stand between `a` and `b` where the tile of `a` is no
 * more than so many behind that of `b`. */
static int tiles_between(const check *c) {
  int within = item_of(c, c->b)->last - item_of(c, c->a)->first;
  int barriers = c->source->barriers; /* tile * barriers + first < tile * barriers + last */
  return (within > 0 ? (within + barriers - 1) / barriers : -(-within / barriers)) - 1;
}

/* ... `a` comes before `b` in a thread of the source. */
static int tiles_before(const check *c) { return c->a->item < c->b->item ? 0 : -1; }

static const pl_iset *is_due(const check *c, const pl_iset *same_slot, int tiles) {
  const pl_iform *last = tiles ? pl_iform_add(c->tile[1], number(c, tiles)) : c->tile[1];
  return pl_iset_and(same_slot, pl_iset_compare(c->tile[0], PL_OP_LE, last));
}

/* ---- copies in flight ------------------------------------------------------------ */

/* Of rounds k1 and k3: where a wait comes behind a copy's group and says that it has
 * landed. */
static const pl_iset *lands_at(check *c, const pl_site *a, size_t wait) {
  const pl_wait_site *w = &c->out->waits[wait];
  const pl_iset *all = pl_iset_all(c->ints);
  size_t site = (size_t)(a - c->out->sites);
  const pl_iset **kept = &c->lands[site * c->out->nwaits + wait];
  if (!*kept)
    *kept = pl_iset_and(
        pl_iset_and(set_in(w->when, 2),
                    pl_iset_compare(c->in_round[0][site].group, PL_OP_LT,
                                    form_in(w->until, 2))),
        a->role == PL_LOADS ? all : is_before(c, a->moment, 0, w->moment, 2));
  return *kept;
}

/* Where `b` is behind the acquire of a stage that was released after so many others, or later. */
static const pl_iset *is_acquired_behind(const check *c, const pl_iform *released) {
  const pl_iform *passed = pl_iform_sub(form_in(c->b->acquired, 1),
                                        number(c, c->out->stages));
  return pl_iset_compare(released, PL_OP_LT, passed);
}

/* Whether, wherever `due` says, a wait says that copy `a` has landed, and then, with a
 * barrier in between or in the thread's own order alone, `b` comes. */
static bool has_landed(check *c, const pl_iset *due, bool barrier) {
  const char *const gone[] = {rounds[2]};
  if (c->a->role == PL_LOADS && c->b->role == PL_LOADS)
    return is_never(pl_iset_minus(due, is_acquired_behind(c, form_in(c->a->group, 0))));
  for (size_t i = 0; i < c->out->nwaits; i++) {
    const pl_wait_site *wait = &c->out->waits[i];
    if ((c->a->role != PL_LOADS && wait->moment.section < c->a->moment.section) ||
        wait->moment.section > c->b->moment.section)
      continue;
    const pl_iset *in_time = is_before(c, wait->moment, 2, c->b->moment, 1);
    if (barrier && !c->out->pipeline)
      in_time = pl_iset_and(in_time,
                            pl_iset_compare(form_in(wait->barriers, 2), PL_OP_LT,
                                            c->barriers[1]));
    const pl_iset *lands = pl_iset_and(lands_at(c, c->a, i), in_time);
    due = pl_iset_minus(due, pl_iset_project(lands, gone, 1));
    if (is_never(due))
      return true;
  }
  return is_never(due);
}

/* Behind the text every copy has landed. */
static void check_landed(check *c) {
  const pl_site end = {.moment = {3, 0}, .role = c->out->has_roles ? PL_COMPUTES : PL_ALL};
  c->b = &end;
  for (size_t i = 0; i < c->out->nsites; i++) {
    c->a = &c->out->sites[i];
    if (c->a->is_copy && !has_landed(c, set_in(c->a->when, 0), false))
      pl_emitted_fail(c->out, 'c', c->a->node,
                      "a copy into '%.*s' may be in flight behind the loop",
                      PL_FMT(name_of(c, c->a)));
  }
  c->b = NULL;
}

/* ---- memory that all have ---------------------------------------------------------- */

static bool is_store(const pl_effect *e) { return e->kind != PL_EFFECT_READ; }

/* Nothing is stored to a constant, `static constexpr int size`. */
static bool is_of_all(const pl_effect *e) {
  bool access = e->kind <= PL_EFFECT_ATOMIC || e->kind == PL_EFFECT_UNSEEN ||
                e->kind == PL_EFFECT_ASM;
  return access && !pl_is_constant_number(e->root.decl) &&
         (e->kind > PL_EFFECT_ATOMIC || e->space == PL_SPACE_GLOBAL ||
          e->space == PL_SPACE_UNKNOWN);
}

/* Whether two accesses to memory that all have may be to one cell. */
static bool may_meet(const check *c, const pl_effect *a, const pl_effect *b) {
  const pl_unit *unit = c->out->unit;
  if (!is_of_all(a) || !is_of_all(b) || (!is_store(a) && !is_store(b)))
    return false;
  if (!a->root.decl || !b->root.decl || pl_root_eq(a->root, b->root))
    return true;
  return !c->is_apart && !pl_parted_by_restrict(unit, a->root, b->root) &&
         !pl_apart_in_callers(c->out->effects, c->out->func, a->root, b->root);
}

static const pl_effects *effects_of(check *c, const pl_site *site) {
  pl_effects **known = &c->effects[site - c->out->sites];
  if (!*known) {
    *known = PL_NEW(c->source->arena, pl_effects);
    pl_effects_of(c->out->effects, c->out->func, (pl_node *)site->node, *known);
  }
  return *known;
}

static bool sites_may_meet(check *c, const pl_site *a, const pl_site *b) {
  const pl_effects *of[2] = {effects_of(c, a), effects_of(c, b)};
  for (size_t i = 0; i < of[0]->n; i++)
    for (size_t k = 0; k < of[1]->n; k++)
      if (may_meet(c, &of[0]->items[i], &of[1]->items[k]))
        return true;
  return false;
}

/* Whether an item loads a shared object, or sets what such an item uses. */
static bool feeds_load(const check *c, size_t item, int depth) {
  const pl_source_loop *l = c->source;
  const pl_item *it = &l->items[item];
  for (size_t i = 0; i < it->ntouches; i++)
    if (it->touches[i].object && it->touches[i].writes)
      return true;
  for (size_t i = 0; i < it->nuses && depth < 6; i++)
    for (size_t k = 0; it->uses[i].writes && k < l->nitems; k++) {
      const pl_clock_use *use = pl_item_use(&l->items[k], it->uses[i].var);
      if (k != item && use && !use->writes && feeds_load(c, k, depth + 1))
        return true;
    }
  return false;
}

/* What a load reads of global memory past a store is apart from it by a premise. */
static bool is_premise(const check *c, const pl_site *a, const pl_site *b) {
  const pl_site *reads = a->writes ? b : a;
  return a->object == 0 && (!a->writes || !b->writes) &&
         (!reads->is_verbatim || feeds_load(c, reads->item, 0));
}

/* ---- pairs ---------------------------------------------------------------------- */

static void rename_all(check *c) {
  const pl_emitted *out = c->out;
  c->lands = PL_NEW_ARRAY(c->source->arena, const pl_iset *,
                          out->nsites * out->nwaits + 1);
  c->effects = PL_NEW_ARRAY(c->source->arena, pl_effects *, out->nsites + 1);
  for (int k = 0; k < 2; k++) {
    c->in_round[k] =
        PL_NEW_ARRAY(c->source->arena, struct renamed, out->nsites + 1);
    for (size_t i = 0; i < out->nsites; i++) {
      const pl_site *s = &out->sites[i];
      c->in_round[k][i] = (struct renamed){form_in(s->tile, k), form_in(s->slot, k),
                                           form_in(s->barriers, k),
                                           form_in(s->group, k), set_in(s->when, k)};
    }
  }
}

/* Where a barrier stands between `a` of one thread and `b` of another; or, of the
 * block's pipeline, `b` is behind a wait for the group that was committed next, or
 * behind the acquire of a stage that was released next, or later. */
static const pl_iset *is_apart(const check *c) {
  const pl_iset *barrier = pl_iset_compare(c->barriers[0], PL_OP_LT, c->barriers[1]);
  const pl_iset *waited = pl_iset_compare(form_in(c->a->group, 0), PL_OP_LT,
                                          form_in(c->b->waited, 1));
  const pl_iset *acquired = is_acquired_behind(c, form_in(c->a->released, 0));
  if (!c->out->has_roles)
    return pl_iset_or(pl_iset_or(barrier, waited), acquired);
  if (c->a->role == PL_LOADS) /* what was committed is waited for ahead of its release */
    return c->b->role == PL_LOADS ? is_acquired_behind(c, form_in(c->a->group, 0)) : waited;
  return c->b->role == PL_LOADS ? acquired : barrier;
}

/* ---- barriers inside of items ------------------------------------------------------ */

static void take_pair(check *c, const pl_site *a, const pl_site *b) {
  c->a = a;
  c->b = b;
  const struct renamed *of[2] = {&c->in_round[0][a - c->out->sites],
                                 &c->in_round[1][b - c->out->sites]};
  for (int i = 0; i < 2; i++) {
    c->tile[i] = of[i]->tile;
    c->slot[i] = of[i]->slot;
    c->barriers[i] = of[i]->barriers;
  }
  c->both = pl_iset_and(of[0]->when, of[1]->when);
}

/* Whether of each tile a thread comes to `a` ahead of `b`. */
static bool comes_first(check *c, const pl_site *a, const pl_site *b) {
  take_pair(c, a, b);
  const pl_iset *same_tile = pl_iset_and(
      c->both, pl_iset_compare(c->tile[0], PL_OP_EQ, c->tile[1]));
  return is_in(same_tile, is_before(c, a->moment, 0, b->moment, 1));
}

/* Whether an item that may wait stands word for word in the text, between two sites of its
 * tile. */
static bool waits_between(check *c, size_t item, const pl_site *a, const pl_site *b) {
  size_t n = 0;
  for (size_t i = 0; i < c->out->nsites; i++) {
    const pl_site *s = &c->out->sites[i];
    if (s->item != item)
      continue;
    n++;
    if (!(s->is_verbatim && comes_first(c, a, s) && comes_first(c, s, b)))
      return false;
  }
  return n > 0;
}

/* Where no more than the barriers inside of items, that stand in both texts word for word,
 * order two accesses within one tile: so they do in the text, whose threads come to the
 * items in this order. */
static bool is_ordered_inside(check *c) {
  const pl_site *a = c->a, *b = c->b;
  bool inside = a->is_verbatim && b->is_verbatim && a->role == b->role && a->item <= b->item &&
                item_of(c, a)->plain == item_of(c, b)->plain;
  for (size_t i = a->item + 1; inside && i < b->item; i++)
    inside = !c->source->items[i].has_barrier || waits_between(c, i, a, b);
  take_pair(c, a, b);
  return inside;
}

/* ---- order of pairs ---------------------------------------------------------------- */

/* Of which it is not known here whether they are of one cell. */
static bool is_read_of_all(const pl_site *a, const pl_site *b) {
  return a->object == 0 && (!a->writes || !b->writes);
}

/* Whether others' accesses stay in the order that barriers gave them. */
static void check_threads(check *c, const pl_iset *due) {
  const pl_iset *left =
      c->out->pipeline ? pl_iset_minus(due, is_apart(c))
                       : pl_iset_and(due, pl_iset_compare(c->barriers[0], PL_OP_GE,
                                                          c->barriers[1]));
  if (!is_never(left))
    pl_emitted_fail(c->out, is_read_of_all(c->a, c->b) ? '?' : 'a', c->b->node,
                    "no barrier keeps it behind other threads' access to '%.*s'",
                    PL_FMT(name_of(c, c->a)));
  if (c->a->is_copy && !has_landed(c, due, true))
    pl_emitted_fail(c->out, 'c', c->b->node,
                    "other threads' copies into '%.*s' may be in flight",
                    PL_FMT(name_of(c, c->a)));
}

/* Whether a thread's own accesses stay in their order. */
static void check_thread(check *c, const pl_iset *due) {
  if (!is_in(due, is_before(c, c->a->moment, 0, c->b->moment, 1)))
    pl_emitted_fail(c->out, 'a', c->b->node,
                    "it comes ahead of an access to '%.*s' that it came behind",
                    PL_FMT(name_of(c, c->a)));
  if (c->a->is_copy && !has_landed(c, due, false))
    pl_emitted_fail(c->out, 'c', c->b->node,
                    "copies into '%.*s' may be in flight", PL_FMT(name_of(c, c->a)));
}

/* Of two accesses to one slot. Which thread makes what part of a split load is not
 * looked at: it may be any one, but that two stores of one load keep to their threads.
 * What a barrier keeps in order is a thread's own order as well. */
static void check_order(check *c, const pl_iset *same_slot) {
  bool stores = !c->a->reads && !c->b->reads;
  bool any = (!stores && (!c->a->is_verbatim || !c->b->is_verbatim)) ||
             c->a->role != c->b->role;
  int others = tiles_between(c), own = tiles_before(c);
  others = any && own > others ? own : others;
  const pl_iset *due = is_due(c, same_slot, own > others ? own : others);
  if (is_never(due))
    return;
  const pl_iset *of_others = own > others ? is_due(c, same_slot, others) : due;
  bool inside = is_ordered_inside(c);
  if (inside)
    of_others = pl_iset_minus(of_others, pl_iset_compare(c->tile[0], PL_OP_EQ,
                                                         c->tile[1]));
  check_threads(c, of_others);
  if (inside || (own > others && c->a->role == c->b->role))
    check_thread(c, is_due(c, same_slot, own));
}

/* Whether what is of one tile is in one slot. */
static void check_slots(check *c) {
  const pl_iset *same_tile = pl_iset_and(
      c->both, pl_iset_compare(c->tile[0], PL_OP_EQ, c->tile[1]));
  if (!is_never(pl_iset_and(same_tile, pl_iset_compare(c->slot[0], PL_OP_NE,
                                                       c->slot[1]))))
    pl_emitted_fail(c->out, 'b', c->b->node,
                    "it uses another stage of '%.*s' than the rest of its tile",
                    PL_FMT(name_of(c, c->a)));
}

static bool is_conflict(const check *c, const pl_site *a, const pl_site *b) {
  return (a->writes || b->writes) && pl_may_be_one(c->source, a->object, b->object);
}

/* Whether the text makes a load in parts that touches two objects. */
static bool splits_both(const check *c, size_t a, size_t b) {
  for (size_t i = 0; i < c->out->nsites; i++) {
    const pl_site *s = &c->out->sites[i];
    const pl_item *it = item_of(c, s);
    bool of_a = pl_item_touches(it, a, true) || pl_item_touches(it, a, false);
    bool of_b = pl_item_touches(it, b, true) || pl_item_touches(it, b, false);
    if (!s->is_verbatim && of_a && of_b)
      return true;
  }
  return false;
}

/* Objects that may have cells in common are ordered as one, statement by statement: each has to
 * be in one place, and no load that is taken apart may be of both. */
static void check_common(check *c) {
  const pl_source_loop *l = c->source;
  for (size_t i = 1; i < l->nobjects; i++)
    for (size_t k = 1; k < i; k++)
      if (pl_may_be_one(l, i, k) && (l->objects[i].slots != 1 || l->objects[k].slots != 1 ||
                                     splits_both(c, i, k)))
        pl_emitted_fail(c->out, '?', l->node, "two shared objects may be one");
}

static void check_pairs(check *c) {
  const pl_emitted *out = c->out;
  check_common(c);
  for (size_t i = 0; i < out->nsites; i++)
    for (size_t k = 0; k < out->nsites && !out->claim; k++) {
      const pl_site *a = &out->sites[i], *b = &out->sites[k];
      if (!is_conflict(c, a, b) || is_premise(c, a, b) ||
          (is_read_of_all(a, b) && !sites_may_meet(c, a, b)))
        continue;
      take_pair(c, a, b);
      const pl_iset *same_slot = pl_iset_and(
          c->both, pl_iset_compare(c->slot[0], PL_OP_EQ, c->slot[1]));
      if (a->object == b->object && object_of(c, a)->slots > 1 && i < k)
        check_slots(c);
      if (!is_never(same_slot))
        check_order(c, same_slot);
    }
}

/* An address of a tile that is no access, `best - s`, is of its stage as well. */
static void check_names(check *c) {
  for (size_t i = 0; i < c->out->nnames; i++)
    for (size_t k = 0; k < c->out->nsites && !c->out->claim; k++) {
      const pl_site *a = &c->out->names[i], *b = &c->out->sites[k];
      if (a->object != b->object || !b->writes)
        continue;
      const pl_iset *same_tile =
          pl_iset_and(pl_iset_and(set_in(a->when, 0), set_in(b->when, 1)),
                      pl_iset_compare(form_in(a->tile, 0), PL_OP_EQ, form_in(b->tile, 1)));
      if (!is_never(pl_iset_and(same_tile, pl_iset_compare(form_in(a->slot, 0), PL_OP_NE,
                                                           form_in(b->slot, 1)))))
        pl_emitted_fail(c->out, 'b', a->node,
                        "it names another stage of '%.*s' than that of its tile",
                        PL_FMT(name_of(c, a)));
    }
}

/* ---- each tile once ---------------------------------------------------------------- */

/* Whether an item is a load that the main loop makes in parts. */
static bool is_split(const check *c, size_t item, size_t object) {
  bool split = false;
  for (size_t i = 0; i < c->out->nsites; i++) {
    const pl_site *s = &c->out->sites[i];
    if (s->object != object || !s->writes)
      continue;
    if (s->item == item && s->is_verbatim && s->moment.section == 1)
      return false;
    split |= !s->is_verbatim;
  }
  return split;
}

static bool is_part(const check *c, const pl_site *s) {
  return s->writes && (!s->is_verbatim || is_split(c, s->item, s->object));
}

/* Of items that are split, a part stands for all that load the object. */
static bool is_one_load(const check *c, const pl_site *a, const pl_site *b) {
  return is_part(c, a) || is_part(c, b) ? is_part(c, a) && is_part(c, b)
                                        : a->item == b->item;
}

/* A part is one of the first item that is split. */
static void place_parts(check *c) {
  for (size_t i = 0; i < c->out->nsites; i++) {
    pl_site *s = &c->out->sites[i];
    for (size_t k = 0; !s->is_verbatim && s->writes && k < c->source->nitems; k++)
      if (pl_item_touches(&c->source->items[k], s->object, true) &&
          is_split(c, k, s->object)) {
        s->item = k;
        break;
      }
  }
}

static bool is_twice(check *c, const pl_site *a, const pl_site *b) {
  take_pair(c, a, b);
  const pl_iset *same =
      pl_iset_and(c->both, pl_iset_compare(c->tile[0], PL_OP_EQ, c->tile[1]));
  if (a == b)
    same = pl_iset_and(same, pl_iset_compare(pl_iform_name(c->ints, rounds[0]),
                                             PL_OP_LT,
                                             pl_iform_name(c->ints, rounds[1])));
  return !is_never(same);
}

/* The tiles, by the name t, that a site is of. */
static const pl_iset *tiles_of(const check *c, const pl_site *site) {
  const char *const k[] = {"k"};
  const pl_iform *t = pl_iform_name(c->ints, "t");
  return pl_iset_project(
      pl_iset_and(site->when, pl_iset_compare(t, PL_OP_EQ, site->tile)), k, 1);
}

static const pl_iset *all_tiles(const check *c, size_t item) {
  const pl_iform *t = pl_iform_name(c->ints, "t");
  const pl_iform *end =
      pl_iform_add(T(c), number(c, pl_runs_beyond(c->source, item)));
  const pl_iset *all = pl_iset_and(pl_iset_compare(t, PL_OP_GE, number(c, 0)),
                                   pl_iset_compare(t, PL_OP_LT, end));
  all = pl_iset_and(all, pl_iset_compare(T(c), PL_OP_GE, number(c, c->source->has_first)));
  return pl_iset_and(all, pl_iset_compare(
                              pl_iform_name(c->ints, pl_asked_bound(c->source)), PL_OP_GE, T(c)));
}

static void check_once(check *c, size_t item, size_t object) {
  const pl_emitted *out = c->out;
  const pl_iset *all = pl_iset_all(c->ints), *found = pl_iset_minus(all, all);
  const pl_site like = {.item = item, .object = object, .is_verbatim = true,
                        .writes = pl_item_touches(&c->source->items[item], object, true)};
  for (size_t i = 0; i < out->nsites; i++) {
    const pl_site *a = &out->sites[i];
    if (a->object != object || !is_one_load(c, a, &like))
      continue;
    found = pl_iset_or(found, tiles_of(c, a));
    for (size_t k = 0; k <= i; k++) {
      const pl_site *b = &out->sites[k];
      bool verbatim = a->is_verbatim && b->is_verbatim; /* two items are two loads */
      bool apart = a == b     ? a->moment.section == 1
                   : verbatim ? a->item == b->item
                              : a->run != b->run && (a->is_verbatim || b->is_verbatim);
      if (b->object == object && is_one_load(c, b, &like) && apart &&
          is_one_load(c, a, b) && is_twice(c, a, b))
        pl_emitted_fail(c->out, 'b', a->node, "it happens twice for one tile");
    }
  }
  if (!is_in(all_tiles(c, item), found))
    pl_emitted_fail(c->out, 'b', c->source->items[item].node,
                    "the accesses to '%.*s' do not happen for every tile",
                    PL_FMT(name_of(c, &like)));
}

/* The tiles that a part of a section's load is of; of all its parts where none is named. */
static const pl_iset *tiles_of_part(const check *c, size_t object, int section,
                                    const pl_node *node) {
  const pl_iset *all = pl_iset_all(c->ints), *found = pl_iset_minus(all, all);
  for (size_t i = 0; i < c->out->nsites; i++) {
    const pl_site *s = &c->out->sites[i];
    if (s->object == object && s->moment.section == section && is_part(c, s) &&
        (!node || s->node == node))
      found = pl_iset_or(found, tiles_of(c, s));
  }
  return found;
}

/* Which cells a section's parts fill was asked of all of them together (events_cells.c): so
 * each is made of every tile that another one is of. */
static void check_parts(check *c, size_t object) {
  const pl_emitted *out = c->out;
  for (size_t i = 0; i < out->nsites && !out->claim; i++) {
    const pl_site *s = &out->sites[i];
    bool again = s->object != object || !is_part(c, s);
    for (size_t k = 0; k < i && !again; k++)
      again = out->sites[k].node == s->node && out->sites[k].object == object &&
              out->sites[k].moment.section == s->moment.section;
    if (!again && !is_in(tiles_of_part(c, object, s->moment.section, NULL),
                         tiles_of_part(c, object, s->moment.section, s->node)))
      pl_emitted_fail(c->out, 'b', s->node, "a part of a load is left out of some tiles");
  }
}

/* What only reads does no more than to set variables, whose clocks tell how often. */
static void check_all_once(check *c) {
  const pl_source_loop *l = c->source;
  for (size_t i = 0; i < l->nobjects; i++)
    check_parts(c, i);
  for (size_t i = 0; i < l->nitems; i++)
    for (size_t k = 0; k < l->items[i].ntouches && !c->out->claim; k++)
      if (l->items[i].touches[k].writes)
        check_once(c, i, l->items[i].touches[k].object);
}

/* ---- what stands around the loop ---------------------------------------------------- */

/* MET_LOOP: the loop itself, when it is come to again. */
typedef enum met { MET_NOTHING, MET_BARRIER, MET_LOOP, MET_ACCESS } met;

typedef struct mention {
  const pl_cell_object *object;
  pl_range region;
  bool found;
} mention;

static bool find_mention(pl_node *node, void *context) {
  mention *m = context;
  if (node->range.end && pl_range_inside(node->range, m->region))
    return false;
  m->found |= node->kind == PL_NODE_REF && node->decl &&
              (node->decl == m->object->after || node->decl == m->object->stages);
  return !m->found;
}

/* Whether other functions have an object as well, by their own names or by what they hand to
 * this one. */
static bool is_of_others(const pl_decl *decl) {
  return !decl || decl->is_extern || !decl->owner || decl->kind == PL_DECL_PARAM;
}

/* Whether an access of which nothing is known may be one to an object: its name is
 * used outside of the region, or by other functions, or the region leaves addresses
 * behind. */
static bool is_exposed(const check *c, size_t object) {
  mention m = {.object = &c->source->objects[object], .region = c->out->region};
  if (is_of_others(m.object->after) || c->out->leaves_addresses)
    return true;
  pl_node_walk(c->out->func->body, find_mention, &m);
  return m.found;
}

/* Whether a statement may touch, in memory that all have, what the loop's accesses that
 * no barrier of the text keeps from it do. */
static bool meets_open(const check *c, const pl_effects *effects) {
  for (size_t i = 0; i < c->nopen; i++)
    for (size_t k = 0; k < effects->n; k++)
      if (may_meet(c, &c->open[i], &effects->items[k]))
        return true;
  return false;
}

/* Whether an effect is that a declaration makes an object, which names what it is of. */
static bool only_makes(const pl_effect *e) {
  const pl_node *up = e->node;
  while (up && up->kind != PL_NODE_VAR && !pl_node_is_statement(up))
    up = up->parent;
  return up && up->kind == PL_NODE_VAR && up->decl && pl_is_of_making(up->decl, e);
}

/* Whether a statement may touch an object that others do too. */
static bool may_touch(const check *c, pl_node *node, size_t object) {
  pl_effects effects = {0};
  if (!object) {
    pl_effects_of(c->out->effects, c->out->func, node, &effects);
    return meets_open(c, &effects);
  }
  if (!is_exposed(c, object))
    return false;
  pl_effects_of(c->out->effects, c->out->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++) {
    const pl_effect *e = &effects.items[i];
    bool access = e->kind <= PL_EFFECT_ATOMIC || e->kind == PL_EFFECT_ESCAPE ||
                  e->kind == PL_EFFECT_UNSEEN || e->kind == PL_EFFECT_ASM ||
                  e->kind == PL_EFFECT_ASYNC;
    bool known = e->kind <= PL_EFFECT_ATOMIC && e->root.decl;
    bool away = e->kind <= PL_EFFECT_ATOMIC && e->space != PL_SPACE_SHARED &&
                e->space != PL_SPACE_UNKNOWN;
    if (access && !away && !only_makes(e) &&
        (!known || pl_same_shared(e->root.decl, c->source->objects[object].after)))
      return true;
  }
  return false;
}

/* The loop itself, when it is come to again. */
static bool holds_region(const check *c, const pl_node *node) {
  return pl_range_inside(c->out->region, node->range) ||
         pl_range_inside(node->range, c->out->region);
}

static met met_in(const check *c, pl_node *node, bool back, size_t object);

/* Whether on the way from one place on, or back, to another one, text begins that stands
 * under an #if: another build may see more, or less, than this one does. Where the first place
 * is under an #if itself, what its other arms have is not on the way. */
static bool comes_to_branch(const check *c, uint32_t from, uint32_t to, bool back) {
  const pl_unit *unit = c->out->unit;
  pl_run run = pl_tokens_in(unit, back ? (pl_range){to, from} : (pl_range){from, to});
  uint32_t *all = NULL;
  size_t n = 0, cap = 0, depth = 0;
  for (uint32_t i = pl_directive_from(unit, run.first); i < run.end;
       i = pl_directive_from(unit, i + 1))
    PL_PUSH(c->source->arena, all, n, cap, i);
  bool in_other = false;
  for (size_t i = 0; i < n; i++) {
    pl_str word = pl_directive_at(unit, all[back ? n - 1 - i : i]);
    bool is_if = pl_str_starts(word, "if"), is_end = pl_str_is(word, "endif");
    if (back ? is_end : is_if) {
      if (!in_other)
        return true;
      depth++;
    } else if (back ? is_if : is_end) {
      in_other = in_other && depth;
      depth -= depth > 0;
    } else if (pl_str_starts(word, "el")) {
      in_other = true;
    }
  }
  return false;
}

/* What comes first from `at` on among the children of a block, behind (`back`: ahead of) a
 * place, on to its end or, `back`, to its begin. What another build may have there is an
 * access. */
static met met_among(const check *c, const pl_node *block, uint32_t at, uint32_t place,
                     bool back, size_t object) {
  for (uint32_t i = at; i < block->nkids; i = back ? i - 1 : i + 1) {
    pl_node *kid = block->kids[i];
    if (!kid)
      continue;
    if (comes_to_branch(c, place, back ? kid->range.end : kid->range.begin, back))
      return MET_ACCESS;
    met found = met_in(c, kid, back, object);
    if (found != MET_NOTHING)
      return found;
    place = back ? kid->range.begin : kid->range.end;
  }
  return comes_to_branch(c, place, back ? block->range.begin : block->range.end, back)
             ? MET_ACCESS : MET_NOTHING;
}

/* All of a block. */
static met met_in_block(const check *c, const pl_node *block, bool back, size_t object) {
  return met_among(c, block, back ? block->nkids - 1 : 0,
                   back ? block->range.end : block->range.begin, back, object);
}

/* One of the ways past a branch. */
static met met_in_arm(const check *c, pl_node *arm, bool back, size_t object) {
  return arm ? met_in(c, arm, back, object) : MET_NOTHING;
}

/* A way on which nothing is met goes on beside it. */
static met met_in_branch(const check *c, const pl_node *node, bool back,
                         size_t object) {
  met one = met_in_arm(c, node->kids[1], back, object);
  met other = met_in_arm(c, node->kids[2], back, object);
  bool asks = may_touch(c, node->kids[0], object);
  if (one == MET_ACCESS || other == MET_ACCESS || (asks && !back))
    return MET_ACCESS;
  if (one == MET_BARRIER && other == MET_BARRIER)
    return MET_BARRIER;
  return asks ? MET_ACCESS : MET_NOTHING;
}

/* The jumps that go on elsewhere, past barriers that the text has behind them. A kernel
 * ends with its return. */
static unsigned jumps_past(const check *c) {
  return c->out->func->is_global ? PL_JUMP_LOOP | PL_JUMP_GOTO : PL_JUMP_ANY;
}

static met met_in(const check *c, pl_node *node, bool back, size_t object) {
  if (pl_is_barrier(node))
    return MET_BARRIER;
  if (holds_region(c, node))
    return MET_LOOP;
  if (node->kind == PL_NODE_COMPOUND)
    return met_in_block(c, node, back, object);
  if (node->kind == PL_NODE_IF && node->nkids == 3)
    return met_in_branch(c, node, back, object);
  if (node->kind == PL_NODE_LABEL && node->nkids && node->kids[0]) {
    met found = met_in(c, node->kids[0], back, object);
    return back && found == MET_NOTHING ? MET_ACCESS : found;
  }
  bool leaves = !back && pl_cfg_jump_out(node, jumps_past(c));
  return leaves || may_touch(c, node, object) ? MET_ACCESS : MET_NOTHING;
}

static uint32_t place_in(const pl_node *parent, const pl_node *node) {
  uint32_t i = 0;
  while (i < parent->nkids && parent->kids[i] != node)
    i++;
  return i;
}

/* ... from the end of a loop's body, which is not all, on to its begin. */
static met met_around(const check *c, const pl_node *loop, const pl_node *body,
                      bool back, size_t object) {
  for (uint32_t i = 0; i < loop->nkids; i++)
    if (loop->kids[i] && loop->kids[i] != body && may_touch(c, loop->kids[i], object))
      return MET_ACCESS;
  if (body->kind != PL_NODE_COMPOUND || (back && pl_cfg_jump_out(body, PL_JUMP_CONTINUE)))
    return MET_ACCESS;
  return met_in_block(c, body, back, object);
}

/* The child of a block that is next to one, beside the region where that is in it. */
static uint32_t next_beside(const check *c, const pl_node *block, uint32_t i, bool back) {
  do
    i = back ? i - 1 : i + 1;
  while (i < block->nkids && block->kids[i] &&
         pl_range_inside(block->kids[i]->range, c->out->region));
  return i;
}

/* Where a child of a block ends, or (`back`) begins, with the region that it may be in. */
static uint32_t edge_of(const check *c, const pl_node *node, bool back) {
  pl_range region = c->out->region, own = node->range;
  return back ? (own.begin < region.begin ? own.begin : region.begin)
              : (own.end > region.end ? own.end : region.end);
}

/* Whether a block ends with what runs code of the user's: any may be in it. */
static bool ends_by_code(const check *c, const pl_node *block, const pl_node *last) {
  for (uint32_t i = 0; i < block->nkids && block->kids[i] != last; i++) {
    const pl_node *kid = block->kids[i];
    for (uint32_t k = 0; kid && kid->kind == PL_NODE_DECL_STMT && k < kid->nkids; k++)
      if (kid->kids[k] && pl_ends_by_code(c->out->unit, c->out->func, kid->kids[k]))
        return true;
  }
  return false;
}

/* Whether an access to an object may follow the loop, or (`back`) come ahead of it,
 * without a barrier in between. Around the end of a loop that stands around it the
 * other side is its next. */
static met met_from(const check *c, const pl_node *node, bool back, size_t object) {
  met seen = MET_NOTHING;
  for (const pl_node *up = node->parent; up; node = up, up = up->parent) {
    met found = MET_NOTHING;
    uint32_t i = place_in(up, node);
    if (up->kind == PL_NODE_LAMBDA || up->kind == PL_NODE_SWITCH)
      return MET_ACCESS;
    if (up->kind == PL_NODE_COMPOUND)
      found = met_among(c, up, next_beside(c, up, i, back), edge_of(c, node, back), back,
                        object);
    else if (pl_node_is_loop(up))
      found = met_around(c, up, node, back, object);
    else if (up->kind == PL_NODE_IF && back && may_touch(c, up->kids[0], object))
      found = MET_ACCESS;
    bool ends = !back && found != MET_BARRIER && up->kind == PL_NODE_COMPOUND;
    if (found == MET_ACCESS || (ends && ends_by_code(c, up, node)))
      return MET_ACCESS;
    if (found == MET_BARRIER && !pl_node_is_loop(up))
      return seen;
    if (found == MET_LOOP)
      seen = found;
  }
  return c->out->func->is_global ? seen : MET_ACCESS;
}

/* The barriers of all iterations, and of what asks for one more. */
static const pl_iform *all_barriers(const check *c) {
  const pl_iform *asked = number(c, c->source->asked_behind);
  if (c->source->has_vote)
    asked = pl_iform_choose(pl_iset_compare(T(c), PL_OP_LT, pl_iform_name(c->ints, "N")),
                            asked, number(c, 0));
  return pl_iform_add(source_barriers(c, T(c), 0), asked);
}

/* Whether an access has no barrier of the text ahead of it, or (`behind`) behind it, of
 * those that the source may have one there for (`due`), or of all. */
static bool site_lacks_barrier(const check *c, const pl_site *s, bool behind, bool due) {
  const pl_item *it = item_of(c, s);
  if (behind && s->role == PL_LOADS) /* all that they commit is waited for */
    return false;
  const pl_iform *own = source_barriers(c, s->tile, behind ? it->first : it->last);
  const pl_iform *limit = behind ? all_barriers(c) : number(c, 0);
  const pl_iset *lacks = pl_iset_and(
      s->when, behind ? pl_iset_compare(s->barriers, PL_OP_GE, c->out->barriers)
                      : pl_iset_compare(s->barriers, PL_OP_LE, number(c, 0)));
  if (due)
    lacks = pl_iset_and(lacks, pl_iset_compare(own, behind ? PL_OP_LT : PL_OP_GT, limit));
  return !is_never(lacks);
}

/* ... some access to an object. */
static bool lacks_barrier(const check *c, size_t object, bool behind, bool due) {
  for (size_t i = 0; i < c->out->nsites; i++)
    if (c->out->sites[i].object == object &&
        site_lacks_barrier(c, &c->out->sites[i], behind, due))
      return true;
  return false;
}

/* Whether the loop's accesses of one time may come upon those of the next, though the
 * source has a barrier behind the first or ahead of the second. */
static bool meets_itself(const check *c, size_t object) {
  return (lacks_barrier(c, object, true, true) &&
          lacks_barrier(c, object, false, false)) ||
         (lacks_barrier(c, object, true, false) &&
          lacks_barrier(c, object, false, true));
}

typedef struct outside_walk {
  const check *check;
  size_t object;
  bool found;
} outside_walk;

static bool find_outside(pl_node *node, void *context) {
  outside_walk *o = context;
  pl_range region = o->check->out->region;
  bool apart = node->range.end &&
               (node->range.end <= region.begin || node->range.begin >= region.end);
  if (node->range.end && pl_range_inside(node->range, region))
    return false;
  o->found |= apart && may_touch(o->check, node, o->object);
  return !o->found && !apart;
}

/* Whether anything but the loop touches an object: the callers of its function may. */
static bool is_touched_outside(const check *c, size_t object) {
  outside_walk walk = {.check = c, .object = object};
  if (!c->out->func->is_global && is_of_others(c->source->objects[object].after))
    return true;
  pl_node_walk(c->out->func->body, find_outside, &walk);
  return walk.found;
}

/* What the source's barriers keep apart that is around the loop and in it, the text's
 * must, unless a barrier stands beside the loop: and what is in it from what is in it
 * when it is come to again. */
static void check_around(check *c, const pl_node *node, size_t object) {
  pl_str name = c->source->objects[object].decl->name;
  met behind = met_from(c, node, false, object), ahead = met_from(c, node, true, object);
  bool next = behind == MET_ACCESS, last = ahead == MET_ACCESS;
  bool touched = is_touched_outside(c, object);
  if (touched && next && lacks_barrier(c, object, true, true))
    pl_emitted_fail(c->out, 'a', c->source->node,
                    "no barrier keeps uses of '%.*s' behind the loop from it",
                    PL_FMT(name));
  if (touched && last && lacks_barrier(c, object, false, true))
    pl_emitted_fail(c->out, 'a', c->source->node,
                    "no barrier keeps uses of '%.*s' ahead of the loop from it",
                    PL_FMT(name));
  if (behind >= MET_LOOP && ahead >= MET_LOOP && meets_itself(c, object))
    pl_emitted_fail(c->out, 'a', c->source->node,
                    "no barrier keeps the loop's uses of '%.*s' from those of the "
                    "next time", PL_FMT(name));
}

/* Which accesses to memory that all have lack a barrier on one side. */
static void find_open(check *c, bool behind) {
  c->nopen = 0;
  for (size_t i = 0; i < c->out->nsites; i++) {
    const pl_site *s = &c->out->sites[i];
    pl_effects effects = {0};
    if (s->object || !site_lacks_barrier(c, s, behind, true))
      continue;
    pl_effects_of(c->out->effects, c->out->func, (pl_node *)s->node, &effects);
    for (size_t k = 0; k < effects.n; k++)
      if (is_of_all(&effects.items[k]))
        PL_PUSH(c->source->arena, c->open, c->nopen, c->open_cap, effects.items[k]);
  }
}

/* The same of memory that all have. Whether two pointers lead there to one cell is not
 * known here where neither the text nor its calls say so. */
static void check_memory_around(check *c, const pl_node *node) {
  for (int behind = 0; behind < 2 && !c->out->claim; behind++) {
    find_open(c, behind);
    if (c->nopen && met_from(c, node, !behind, 0) == MET_ACCESS && is_touched_outside(c, 0))
      pl_emitted_fail(c->out, '?', c->source->node,
                      "whether a barrier has to keep global memory %s the loop from it is "
                      "not known", behind ? "behind" : "ahead of");
  }
}

typedef struct address_walk {
  const check *check;
  const pl_cell_object *object;
  bool found;
} address_walk;

/* Whether an access names what may hold an address from ahead of the loop. */
static bool is_from_ahead(pl_node *node, const void *context) {
  const address_walk *a = context;
  const pl_decl *decl = node->kind == PL_NODE_REF ? node->decl : NULL;
  bool variable = decl && (decl->kind == PL_DECL_VAR || decl->kind == PL_DECL_PARAM);
  return variable && decl != a->object->after && decl != a->object->stages &&
         !decl->is_shared && pl_may_lead(decl) &&
         !(decl->name_range.end && decl->name_range.begin >= a->check->out->region.end);
}

/* What is behind the region, or comes behind it as a loop stands around both. */
static bool find_address(pl_node *node, void *context) {
  address_walk *a = context;
  const pl_range region = a->check->out->region;
  bool apart = node->range.end && (node->range.end <= region.begin ||
                                   node->range.begin >= region.end);
  if (node->range.end && pl_range_inside(node->range, region))
    return false;
  if (!apart || !pl_node_is_statement(node))
    return !a->found && !apart;
  const pl_node *around = node;
  while (around && !(pl_node_is_loop(around) && pl_range_inside(region, around->range)))
    around = around->parent;
  pl_effects effects = {0};
  if (node->range.begin >= region.end || around)
    pl_effects_of(a->check->out->effects, a->check->out->func, node, &effects);
  for (size_t i = 0; i < effects.n; i++)
    a->found |= effects.items[i].root.decl && effects.items[i].space == PL_SPACE_SHARED &&
                pl_same_shared(effects.items[i].root.decl, a->object->after) &&
                ((effects.items[i].root.decl != a->object->after &&
                  effects.items[i].root.decl != a->object->stages) ||
                 pl_node_find(effects.items[i].node, is_from_ahead, a));
  return false;
}

/* Whether the text around the loop finds an object by an address that was made ahead of it:
 * of whichever stage that is. */
static bool is_led_to_from_ahead(const check *c, size_t object) {
  address_walk walk = {.check = c, .object = &c->source->objects[object]};
  pl_node_walk(c->out->func->body, find_address, &walk);
  return walk.found;
}

/* Whether the text behind the loop uses the slot of the last tile, or, where there is
 * no tile, the one that the text ahead of it uses. */
static bool finds_last_slot(const check *c, size_t object) {
  const pl_cell_object *o = &c->source->objects[object];
  const pl_iform *last = pl_iform_sub(T(c), number(c, 1));
  if ((o->is_used_ahead && !o->slot_ahead) || c->out->leaves_addresses ||
      (o->after && o->after->is_extern && o->is_carved) || is_led_to_from_ahead(c, object))
    return false;
  if (!o->is_used_behind)
    return true;
  bool same = o->slot_behind != NULL;
  for (size_t i = 0; i < c->out->nsites && same; i++) {
    const pl_site *s = &c->out->sites[i];
    const pl_iset *of_last =
        pl_iset_and(s->when, pl_iset_compare(s->tile, PL_OP_EQ, last));
    same = s->object != object ||
           is_never(pl_iset_and(of_last, pl_iset_compare(s->slot, PL_OP_NE,
                                                         o->slot_behind)));
  }
  const pl_iset *none = pl_iset_compare(T(c), PL_OP_EQ, number(c, 0));
  return same && (!o->is_used_ahead ||
                  is_never(pl_iset_and(none, pl_iset_compare(o->slot_ahead, PL_OP_NE,
                                                             o->slot_behind))));
}

/* Whether a tile that a vote has passed by may be loaded to where something behind the loop
 * finds it. */
static bool leaves_passed_by(const check *c, size_t object) {
  bool passed = false;
  for (size_t i = 0; i < c->out->nsites && !passed; i++) {
    const pl_site *s = &c->out->sites[i];
    passed = s->object == object && s->writes &&
             !is_never(pl_iset_and(s->when, pl_iset_compare(s->tile, PL_OP_GE, T(c))));
  }
  return c->source->has_vote && passed && is_touched_outside(c, object);
}

static void check_surroundings(check *c) {
  const pl_source_loop *l = c->source;
  const pl_node *region = pl_region_node(c->out);
  for (size_t i = 1; i < l->nobjects && !c->out->claim; i++) {
    if (!region || !l->objects[i].after)
      pl_emitted_fail(c->out, '?', l->node, "'%.*s' is not found in the text",
                      PL_FMT(l->objects[i].decl->name));
    else if (l->objects[i].slots > 1 && is_touched_outside(c, i) &&
             !finds_last_slot(c, i))
      pl_emitted_fail(c->out, '?', l->node,
                      "which stage of '%.*s' is used around the loop is not known",
                      PL_FMT(l->objects[i].decl->name));
    else if (leaves_passed_by(c, i))
      pl_emitted_fail(c->out, '?', l->node,
                      "whether what a vote passes by is found in '%.*s' is not known",
                      PL_FMT(l->objects[i].decl->name));
    else
      check_around(c, region, i);
  }
  if (region && !c->out->claim)
    check_memory_around(c, region);
}

/* ---- all of it ------------------------------------------------------------------- */

static void check_source(check *c) {
  const pl_source_loop *l = c->source;
  if (l->unknown.n)
    pl_emitted_fail(c->out, '?', l->unknown_at, "%.*s", PL_FMT(l->unknown));
  if (!l->certain)
    pl_emitted_fail(c->out, '?', l->node,
                    "no barrier of its own makes all threads run it equally often");
}

static bool has_stages(const pl_source_loop *l) {
  for (size_t i = 1; i < l->nobjects; i++)
    if (l->objects[i].slots > 1)
      return true;
  return false;
}

static bool has_dynamic(const pl_source_loop *l) {
  for (size_t i = 1; i < l->nobjects; i++)
    if (l->objects[i].is_dynamic)
      return true;
  return false;
}

static bool stores_globally(const pl_source_loop *l) {
  for (size_t i = 0; i < l->nitems; i++)
    for (size_t k = 0; k < l->items[i].ntouches; k++)
      if (l->items[i].touches[k].object == 0 && l->items[i].touches[k].writes)
        return true;
  return false;
}

static pl_certificate result_of(pl_emitted *out, pl_arena *arena) {
  out->claim = out->claim && out->counts_loads ? '?' : out->claim;
  pl_certificate made = {.shown = !out->claim ? PL_YES
                                  : out->claim == '?' || pl_integers_spent(out->integers)
                                      ? PL_UNKNOWN : PL_NO,
                         .claim = out->claim,
                         .why = pl_arena_str(arena, out->why.p, out->why.n),
                         .nevents = out->nsites + out->nwaits,
                         .needs_coverage = has_stages(out->source) || out->source->has_vote,
                         .needs_launches = has_dynamic(out->source),
                         .needs_apart = stores_globally(out->source),
                         .needs_vote = out->source->has_vote,
                         .needs_no_tile = out->source->follows_memory};
  if (out->why_at && out->why_at->range.end &&
      !pl_node_within(out->why_at, out->source->func->body))
    made.at = out->why_at->range;
  return made;
}

static pl_certificate certified(pl_arena *arena, const pl_pipelined *p, pl_memory *memory) {
  pl_arena *own = pl_arena_child(arena);
  pl_integers *ints = memory ? pl_memory_integers(memory, PL_OF_EVENTS, OPERATIONS)
                             : pl_integers_new(own, OPERATIONS);
  pl_source_loop source = {.arena = own, .unit = p->before, .func = p->func,
                           .effects = pl_effect_context_new(p->before)};
  pl_emitted out = {.source = &source, .unit = p->after, .func = p->emitted,
                    .region = p->region, .all = p->all, .nall = p->nall,
                    .integers = ints,
                    .effects = pl_effect_context_new(p->after)};
  check c = {.out = &out, .source = &source, .ints = ints, .is_apart = p->is_apart};
  pl_read_source_loop(&source, p->loop);
  check_source(&c);
  if (!out.claim)
    pl_walk_emitted(&out);
  pl_check_layers(&out);
  place_parts(&c);
  rename_all(&c);
  if (!out.claim)
    check_all_once(&c);
  if (!out.claim)
    check_pairs(&c);
  if (!out.claim)
    check_names(&c);
  if (!out.claim)
    check_landed(&c);
  if (!out.claim)
    pl_check_load_cells(&out, p->is_told, memory);
  if (!out.claim)
    check_surroundings(&c);
  if (!out.claim)
    pl_check_text_around(&out);
  pl_certificate made = result_of(&out, arena);
  if (!memory)
    pl_integers_free(ints);
  pl_arena_free(own);
  return made;
}

/* What is not told may hide what is wrong: then all is asked. */
pl_certificate pl_certify(pl_arena *arena, const pl_pipelined *p, pl_memory *memory) {
  pl_certificate made = certified(arena, p, memory);
  if (p->is_told || made.shown != PL_NO)
    return made;
  pl_pipelined told = *p;
  told.is_told = true;
  return certified(arena, &told, memory);
}
