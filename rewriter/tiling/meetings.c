/* meetings.c - do two of a thread's copies meet in one cell of a tile?
 *
 * Needs: the accesses of a fill, as relations from iterations to cells. Gives:
 * stored_twice for tiles where they do, or may, as asynchronous copies land in no
 * order. Raises: nothing.
 *
 * Two different instances of a store, or of two, are asked about: those of one
 * iteration of the loops around both, and for each of these loops those of an earlier
 * and a later iteration of it. What may differ between the two has a name of its own on
 * each side. Sums of loop counters are compared by their bounds; the rest is asked of
 * integer_set.c. */
#include "access.h"
#include "integer_set.h"
#include "values.h"

#define MOST_OPERATIONS 400000 /* of isl, for one fill */
#define MOST_PAIRS 600         /* that isl is asked about */

/* Two instances, of which `a` is the earlier one, and which loop tells them apart. */
typedef struct pair {
  const pl_access *a, *b;
  int level; /* names of loops as deep, or deeper, may differ */
  const pl_turns *turns; /* the loop, NULL: none does */
} pair;

typedef struct meetings {
  pl_accesses *of;
  pl_integers *integers;
  int asked;
} meetings;

/* ---- in isl's terms ------------------------------------------------------ */

/* What is asked about a pair. */
typedef struct question {
  pl_sides sides;
  const pair *pair;
} question;

static bool may_differ(const pl_affine_name *name, const pair *p) {
  return name->turns && name->turns->depth >= p->level;
}

static int value_of(const pl_sides *s, uint32_t name, int side) {
  return side && may_differ(&s->names->names[name], s->context);
}

/* ---- products of loop counters ------------------------------------------- */

/* The other side of a product of the counter that tells the instances apart and of
 * what is the same for both; NULL: it is none. */
static const pl_affine *step_of(const question *q, const pl_affine_name *name) {
  const pl_turns *turns = q->pair->turns;
  if (name->kind != PL_NAME_PRODUCT || !turns)
    return NULL;
  bool left = name->of->terms[0].name == turns->counter;
  bool right = name->with->terms[0].name == turns->counter;
  const pl_affine *step = left ? name->with : name->of;
  const pl_turns *outer = pl_affine_turns(q->sides.names, step);
  return left != right && (!outer || outer->depth < q->pair->level) ? step : NULL;
}

/* A counter times a step that is at least one: no less than the counter, and from
 * one iteration to the next it grows by the step. */
static void require_product(question *q, uint32_t name, const pl_affine *step) {
  pl_interval by = pl_affine_range(q->sides.names, step);
  if (by.least < 1)
    return;
  pl_sides *s = &q->sides;
  for (int side = 0; side < 2; side++)
    pl_sides_require(
        s, pl_side_name(s, name, side), PL_OP_GE,
        pl_iform_scale(pl_side_name(s, q->pair->turns->counter, side), by.least));
  pl_sides_require(s, pl_side_name(s, name, 1), PL_OP_GE,
                   pl_iform_add(pl_side_name(s, name, 0),
                                pl_side_form(s, step, 0)));
}

static void require_products(question *q) {
  for (size_t i = 0; i < q->sides.names->n; i++) {
    const pl_affine *step = step_of(q, &q->sides.names->names[i]);
    if (step && (q->sides.forms[0][i] || q->sides.forms[1][i]))
      require_product(q, (uint32_t)i, step);
  }
}

/* Whether a place is named by row and column, `s[1][i][j]`, so that another
 * row is another place whatever the bounds are. */
static bool goes_by_rows(const pl_node *place) {
  place = pl_node_bare((pl_node *)place);
  while (place->nkids && !place->is_arrow &&
         (place->kind == PL_NODE_SUBSCRIPT || place->kind == PL_NODE_MEMBER)) {
    place = pl_node_bare(place->kids[0]);
    if (place->type && place->type->kind == PL_TYPE_POINTER &&
        place->kind != PL_NODE_REF)
      return false;
  }
  return place->kind == PL_NODE_REF;
}

/* Of elements whose size is open, only whole ones are compared. */
static bool has_known_width(const pl_access *a) {
  return a->open ? goes_by_rows(a->copy->dst) : a->width > 0;
}

static int64_t width_of(const pl_access *a) {
  return a->open && a->width <= 0 ? 1 : a->width;
}

/* ---- pairs --------------------------------------------------------------- */

/* That both touch one byte, and which of them is the earlier one. */
static void require_meeting(question *q) {
  const pair *p = q->pair;
  const pl_iform *apart =
      pl_iform_sub(pl_side_form(&q->sides, p->b->at, 1), pl_side_form(&q->sides, p->a->at, 0));
  pl_sides_require(&q->sides, apart, PL_OP_LT, pl_iform_number(q->sides.integers, width_of(p->a)));
  pl_sides_require(&q->sides, apart, PL_OP_GT, pl_iform_number(q->sides.integers, -width_of(p->b)));
  if (p->turns)
    pl_sides_require(&q->sides, pl_side_name(&q->sides, p->turns->counter, 0), PL_OP_LT,
            pl_side_name(&q->sides, p->turns->counter, 1));
}

static pl_answer is_apart(meetings *all, const pair *p, bool with_paths) {
  question q = {{.names = &all->of->names, .integers = all->integers,
                 .value_of = value_of, .nsides = 2, .nvalues = 2, .context = p}, p};
  pl_sides *s = &q.sides;
  pl_sides_begin(s);
  require_meeting(&q);
  if (with_paths) {
    s->set = pl_iset_and(s->set, pl_side_where(s, p->a->within, 0));
    s->set = pl_iset_and(s->set, pl_side_where(s, p->b->within, 1));
  }
  require_products(&q);
  return pl_iset_is_empty(s->set);
}

/* The part of a form that is the same on both sides, or that is not. */
static const pl_affine *part_of(meetings *all, const pair *p,
                                const pl_affine *of, bool same) {
  pl_affine *part = pl_arena_alloc(
      all->of->names.arena, sizeof *part + of->n * sizeof(pl_affine_term));
  part->constant = same ? of->constant : 0;
  for (uint32_t i = 0; i < of->n; i++)
    if (may_differ(&all->of->names.names[of->terms[i].name], p) != same)
      part->terms[part->n++] = of->terms[i];
  return part;
}

/* Takes a counter out of a form; how often it is in it. */
static int64_t take_counter(pl_affine *of, uint32_t counter) {
  int64_t by = 0;
  uint32_t n = 0;
  for (uint32_t i = 0; i < of->n; i++)
    if (of->terms[i].name == counter)
      by = of->terms[i].by;
    else
      of->terms[n++] = of->terms[i];
  of->n = n;
  return by;
}

static int64_t open_sum(int64_t a, int64_t b, int64_t open) {
  return a == open || b == open ? open : a + b;
}

/* Whether the bounds of what they are apart show that two instances do not meet. */
static bool is_plainly_apart(meetings *all, const pair *p) {
  pl_affines *names = &all->of->names;
  pl_affine *a = (pl_affine *)part_of(all, p, p->a->at, false);
  pl_affine *b = (pl_affine *)part_of(all, p, p->b->at, false);
  const pl_affine *same =
      pl_affine_add(names, part_of(all, p, p->b->at, true),
                    part_of(all, p, p->a->at, true), -1);
  int64_t by = p->turns ? take_counter(a, p->turns->counter) : 0;
  if (p->turns && by != take_counter(b, p->turns->counter))
    return false;
  pl_interval x = pl_affine_range(names, a), y = pl_affine_range(names, b);
  pl_interval z = pl_affine_range(names, same);
  int64_t least = open_sum(open_sum(y.least, -x.largest, -PL_UNBOUNDED), z.least,
                           -PL_UNBOUNDED);
  int64_t largest = open_sum(open_sum(y.largest, -x.least, PL_UNBOUNDED),
                             z.largest, PL_UNBOUNDED);
  bool above = least > -PL_UNBOUNDED && by >= 0 &&
               least + by >= width_of(p->a);
  bool below = largest < PL_UNBOUNDED && by <= 0 &&
               largest + by <= -width_of(p->b);
  return above || below;
}

/* Whether two instances may touch one byte. */
static bool may_meet(meetings *all, const pair *p) {
  if (!has_known_width(p->a) || !has_known_width(p->b) ||
      p->a->open != p->b->open)
    return true;
  if (is_plainly_apart(all, p))
    return false;
  if (!all->integers)
    all->integers = pl_integers_new(all->of->names.arena, MOST_OPERATIONS);
  if (++all->asked > MOST_PAIRS)
    return true;
  return is_apart(all, p, false) != PL_YES && is_apart(all, p, true) != PL_YES;
}

/* The innermost loop around both. */
static const pl_turns *common_turns(const pl_turns *a, const pl_turns *b) {
  while (a != b) {
    int deep = a ? a->depth : 0, other = b ? b->depth : 0;
    if (deep >= other)
      a = a->outer;
    else
      b = b->outer;
  }
  return a;
}

static bool stores_meet(meetings *all, const pl_access *a, const pl_access *b) {
  const pl_turns *common = common_turns(a->turns, b->turns);
  pair here = {a, b, common ? common->depth + 1 : 1, NULL};
  if (a != b && may_meet(all, &here))
    return true;
  for (const pl_turns *at = common; at; at = at->outer) {
    pair forth = {a, b, at->depth, at}, back = {b, a, at->depth, at};
    if (may_meet(all, &forth) || (a != b && may_meet(all, &back)))
      return true;
  }
  return false;
}

/* ---- tiles --------------------------------------------------------------- */

/* Whether a copy of the fill, or of a helper that it calls, may be asynchronous. */
static bool may_be_async(const pl_fill *fill) {
  for (size_t i = 0; i < fill->ncopies; i++)
    if (fill->copies[i].load && !pl_async_obstacle(&fill->copies[i]))
      return true;
  for (size_t i = 0; i < fill->ncalls; i++)
    if (may_be_async(&fill->calls[i].body->fill))
      return true;
  return false;
}

/* Whether one of a tile's copies is known to be none that the hardware makes, so
 * that its others are none either. */
static bool is_by_registers(const pl_fill *fill, const pl_tile *tile) {
  for (size_t i = 0; i < fill->ncopies; i++)
    if (fill->copies[i].tile == tile && pl_async_obstacle(&fill->copies[i]))
      return true;
  return false;
}

/* Whether nothing is left to be found. */
static bool all_found(const pl_loop *loop, const pl_fill *fill) {
  for (size_t i = 0; i < loop->ntiles; i++)
    if (!loop->tiles[i].stored_twice &&
        !is_by_registers(fill, &loop->tiles[i]))
      return false;
  return true;
}

/* Whether other numbers, by which loops may have more rounds, may move a store, too: in a
 * block of several tiles they move what lies behind. */
static bool may_move(const pl_accesses *of, const pl_access *store) {
  return of->rounds_open &&
         (!store->copy || pl_may_be_another_number(of->loop->unit, store->copy->dst));
}

/* Whether it is asked of two stores here. What is in no loop that may have more rounds was
 * asked before; of what may move only whether it meets itself is asked. */
static bool is_asked(const pl_accesses *of, const pl_access *a, const pl_access *b) {
  bool more = !of->rounds_open || a->more || b->more;
  return more && (a == b || !(may_move(of, a) || may_move(of, b)));
}

static bool tile_meets(meetings *all, const pl_tile *tile) {
  const pl_accesses *of = all->of;
  for (size_t i = 0; i < of->n; i++)
    for (size_t k = 0; of->items[i].tile == tile && k <= i; k++) {
      const pl_access *a = &of->items[k], *b = &of->items[i];
      if (a->tile == tile && is_asked(of, a, b) && stores_meet(all, a, b))
        return true;
    }
  return false;
}

static bool is_followed(const pl_accesses *of, const pl_copy *copy) {
  for (size_t i = 0; i < of->n; i++)
    if (of->items[i].copy == copy)
      return true;
  return !copy->load;
}

/* Whether all stores of a fill were followed: of others it is not known whether they
 * meet. */
static bool are_followed(const pl_accesses *of, const pl_fill *fill) {
  for (size_t i = 0; i < fill->ncopies; i++)
    if (!is_followed(of, &fill->copies[i]))
      return false;
  for (size_t i = 0; i < fill->ncalls; i++)
    if (!are_followed(of, &fill->calls[i].body->fill))
      return false;
  return true;
}

/* What a thread may do, for one instantiation, and as other numbers may give its loops more
 * rounds: `s[i % 64]` of 64 indices is no cell twice, of 128 it is. */
typedef enum rounds {
  AS_IN_SIGHT,
  MORE,
  MORE_IN_BOUNDS /* ... as far as indices are in bounds */
} rounds;

/* Takes the mark from tiles of which no cell is stored twice then; false: not all stores
 * were followed. */
static bool ask_meetings(pl_loop *loop, const pl_fill *fill, const pl_instance *instance,
                         rounds how, bool *marked) {
  pl_arena *arena = pl_arena_child(loop->arena);
  pl_accesses of;
  meetings all = {.of = &of};
  pl_find_accesses(&of, arena, loop, fill, instance, how != AS_IN_SIGHT, how == MORE_IN_BOUNDS);
  bool followed = are_followed(&of, fill) && !of.cut;
  for (size_t i = 0; i < loop->ntiles && followed; i++)
    marked[i] = marked[i] && tile_meets(&all, &loop->tiles[i]);
  pl_integers_free(all.integers);
  pl_arena_free(arena);
  return followed;
}

static void mark_meetings(pl_loop *loop, const pl_fill *fill, const pl_instance *instance,
                          bool more) {
  bool *marked = PL_NEW_ARRAY(loop->arena, bool, loop->ntiles + 1), any = false;
  for (size_t i = 0; i < loop->ntiles; i++)
    marked[i] = !loop->tiles[i].stored_twice && !is_by_registers(fill, &loop->tiles[i]);
  bool followed = ask_meetings(loop, fill, instance, more ? MORE : AS_IN_SIGHT, marked);
  for (size_t i = 0; i < loop->ntiles; i++)
    any |= marked[i];
  if (any && more && followed)
    ask_meetings(loop, fill, instance, MORE_IN_BOUNDS, marked);
  for (size_t i = 0; i < loop->ntiles; i++)
    loop->tiles[i].stored_twice |= marked[i] || !followed;
}

static bool is_repeated(const pl_loop *loop, const pl_copy *copy) {
  for (const pl_node *up = copy->store->parent; up && up != loop->body;
       up = up->parent)
    if (pl_node_is_loop(up))
      return true;
  return false;
}

/* Whether a tile has more than one store of a thread. */
static bool stores_more_than_once(const pl_loop *loop, const pl_fill *fill) {
  if (fill->ncalls)
    return true;
  for (size_t i = 0; i < fill->ncopies; i++) {
    if (is_repeated(loop, &fill->copies[i]))
      return true;
    for (size_t k = 0; k < i; k++)
      if (fill->copies[i].tile == fill->copies[k].tile)
        return true;
  }
  return false;
}

void pl_mark_meetings(pl_loop *loop, const pl_fill *fill) {
  const pl_func *func = loop->func;
  uint32_t n = func->pattern ? 1 : func->ninstances;
  uint32_t from = func->pattern ? func->own : 0;
  if (!may_be_async(fill) || !stores_more_than_once(loop, fill))
    return;
  for (uint32_t i = 0; (i == 0 || i < n) && !all_found(loop, fill); i++) {
    const pl_instance *instance =
        from + i < func->ninstances ? &func->instances[from + i] : NULL;
    mark_meetings(loop, fill, instance, false);
    if (!all_found(loop, fill))
      mark_meetings(loop, fill, instance, true);
  }
}
