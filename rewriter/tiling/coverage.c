/* coverage.c - are all cells of a tile written in every iteration, and once?
 *
 * Needs: the writes of a fill as relations, and what they have in common in all
 * iterations. Gives: partial for tiles of which a guard that varies leaves cells
 * unwritten, stored_twice for those of which one statement writes again what another
 * one has written. Raises nothing. Whether a thread's copies meet is asked in meetings.c.
 *
 * A write whose guard varies is no hindrance where, whenever it is made in some
 * iteration, one of the writes to the same cell is made in any other. */
#include "access.h"
#include "cfg.h"
#include "copies.h"
#include "slices.h"

#define MOST_OPERATIONS 400000 /* of isl, for one fill */

enum { OTHER, THIS, SIDES }; /* iterations */

typedef struct coverage {
  pl_loop *loop;
  pl_accesses of;
  pl_integers *integers;
} coverage;

/* The variable that a left side goes out from. */
static const pl_decl *base_of(const pl_node *dst) {
  const pl_node *at = pl_node_bare((pl_node *)dst);
  while (at && at->kind != PL_NODE_REF && at->nkids)
    at = pl_node_bare(at->kids[0]);
  return at ? at->decl : NULL;
}

static bool is_same_cell(const coverage *c, const pl_access *a,
                         const pl_access *b) {
  return a->copy && b->copy && a->tile && a->tile == b->tile &&
         a->copy->bytes == b->copy->bytes && !a->copy->nbytes == !b->copy->nbytes &&
         (!a->copy->nbytes || a->copy->bytes > 0) &&
         pl_same_type(a->node->type, b->node->type) &&
         base_of(a->node) == base_of(b->node) && pl_affine_equal(a->at, b->at) &&
         pl_is_same_form(&c->of.names, a->at, PL_IN_ITERATIONS);
}

static int value_of(const pl_sides *s, uint32_t name, int side) {
  return pl_is_same_name(s->names, name, PL_IN_ITERATIONS) ? SIDES : side;
}

/* Whether the cell of a write is written in this iteration if it is in another one. */
static bool is_written_again(coverage *c, const pl_access *a) {
  if (!c->integers)
    c->integers = pl_integers_new(c->of.names.arena, MOST_OPERATIONS);
  pl_sides s = {.names = &c->of.names, .integers = c->integers,
                .value_of = value_of, .nsides = SIDES, .nvalues = SIDES + 1,
                .tells = 1 << THIS};
  pl_sides_begin(&s);
  const pl_iset *made = pl_side_where(&s, a->within, OTHER), *again = NULL;
  for (size_t i = 0; i < c->of.n; i++) {
    const pl_access *b = &c->of.items[i];
    if (!b->sure || !is_same_cell(c, a, b))
      continue;
    const pl_iset *here = pl_side_where(&s, b->within, THIS);
    again = again ? pl_iset_or(again, here) : here;
  }
  return pl_iset_is_subset(pl_iset_and(s.set, made), again) == PL_YES;
}

/* Cells that are others when the loop is reached again: those of the time before
 * stay behind. */
static bool moves(pl_loop *loop, const pl_access *a) {
  pl_node *dst = (pl_node *)a->node;
  return pl_is_entered_again(loop) && !pl_cell_moves(loop, a->tile->decl, dst) &&
         pl_cell_moves(loop->entries, a->tile->decl, dst);
}

/* Whether another branch writes to the tile instead. */
static bool has_other_side(const coverage *c, const pl_access *a) {
  for (size_t i = 0; i < c->of.n; i++)
    if (c->of.items[i].tile == a->tile &&
        pl_are_exclusive(c->of.items[i].copy->store, a->copy->store))
      return true;
  return false;
}

static void look_at_write(coverage *c, const pl_access *a) {
  pl_tile *tile = a->tile;
  const char *why = NULL;
  if (!tile || tile->partial)
    return;
  if (moves(c->loop, a))
    why = "keeps old cells, as those that are filled change from one "
          "time that the loop is reached to the next";
  else if ((a->sure && pl_is_settled(&c->of.names, a->within)) ||
           is_written_again(c, a))
    return;
  else if (has_other_side(c, a))
    why = "is filled by both sides of a branch, and whether they "
          "write the same cells is not known";
  tile->partial_why = why;
  tile->partial = true;
}

/* Calls under a guard that varies fill their tiles in some iterations only. */
static void look_at_call(coverage *c, const pl_fill *fill,
                         const pl_access *a) {
  pl_return_tile_facts(c->loop, pl_fill_call_at(fill, a->node)->body);
  if (a->sure && pl_is_settled(&c->of.names, a->within))
    return;
  for (size_t t = 0; t < c->loop->ntiles; t++)
    if (pl_mentions(a->node, c->loop->tiles[t].decl))
      c->loop->tiles[t].partial = true;
}

static void find_second_writes(coverage *c, size_t to) {
  const pl_access *a = &c->of.items[to];
  for (size_t i = 0; i < to; i++)
    if (is_same_cell(c, &c->of.items[i], a) && c->of.items[i].copy != a->copy &&
        !pl_are_exclusive(c->of.items[i].copy->store, a->copy->store))
      a->tile->stored_twice = true;
}

/* Whether control was seen to come to a copy. */
static bool is_followed(const coverage *c, const pl_copy *copy) {
  for (size_t i = 0; i < c->of.n; i++)
    if (c->of.items[i].copy == copy)
      return !c->of.cut;
  return false;
}

void pl_mark_coverage(pl_loop *loop, pl_fill *fill) {
  pl_arena *arena = pl_arena_child(loop->arena);
  coverage c = {.loop = loop};
  pl_find_writes(&c.of, arena, loop, fill);
  for (size_t i = 0; i < c.of.n; i++) {
    if (c.of.items[i].copy)
      look_at_write(&c, &c.of.items[i]);
    else
      look_at_call(&c, fill, &c.of.items[i]);
    if (c.of.items[i].copy && c.of.items[i].tile)
      find_second_writes(&c, i);
  }
  for (size_t i = 0; i < fill->ncopies; i++)
    if (!is_followed(&c, &fill->copies[i]))
      fill->copies[i].tile->partial = true;
  pl_integers_free(c.integers);
  pl_arena_free(arena);
}

/* Whether at most one of two runs, in each iteration of the loop around both. */
bool pl_are_exclusive(const pl_node *a, const pl_node *b) {
  const pl_node *loop = a;
  while (loop && !(pl_node_is_loop(loop) && pl_node_within(b, loop)))
    loop = loop->parent;
  return pl_cfg_are_exclusive(a, b, loop) == PL_YES;
}

/* Whether one of a copy's left sides is in the tile. */
bool pl_stores_into(pl_loop *loop, const pl_copy *copy, const pl_tile *tile) {
  for (const pl_node *at = copy->store;; at = at->kids[1]) {
    if (pl_tile_of_cell(loop, at->kids[0]) == tile)
      return true;
    if (at == copy->last)
      return false;
  }
}

/* An asynchronous copy and a plain store into one tile must not meet: the copy
 * would land later. */
static void mark_mixed_stores(pl_loop *loop, pl_fill *fill) {
  for (size_t i = 0; i < fill->ncopies; i++)
    for (size_t k = 0; k < fill->ncopies; k++) {
      const pl_copy *copy = &fill->copies[i], *plain = &fill->copies[k];
      if (copy->load && !plain->load && pl_stores_into(loop, plain, copy->tile) &&
          !pl_are_exclusive(copy->store, plain->store))
        copy->tile->stored_twice = true;
    }
}

/* The argument of a call that is (in) a tile, or the object one of whose members
 * leads there; NULL: none. */
pl_node *pl_tile_argument(pl_loop *loop, const pl_fill_call *call,
                          const pl_tile *tile) {
  if (pl_stands_for(call->body, tile->decl))
    return pl_node_bare(call->node->kids[0])->kids[0];
  for (uint32_t i = 1; i < call->node->nkids; i++) {
    pl_roots roots = pl_roots_in(loop, call->node->kids[i]);
    for (size_t k = 0; k < roots.n; k++)
      if (roots.items[k].decl == tile->decl)
        return call->node->kids[i];
  }
  return NULL;
}

/* Whether a left side begins with a record that a load helper is handed, or that
 * its object's member leads to. */
static bool is_record_of_helper(const pl_node *node) {
  const pl_node *of = node->nkids ? pl_node_bare(node->kids[0]) : NULL;
  return node->decl &&
         ((node->kind == PL_NODE_REF && node->decl->kind == PL_DECL_PARAM) ||
          (node->kind == PL_NODE_MEMBER && of && of->kind == PL_NODE_THIS));
}

/* The field of that record which a left side lies in, as `b` in `s.b[r][c]`, and
 * the record's name; NULL: it lies in none, or other fields may lie there. */
static const pl_decl *field_stored_to(const pl_node *dst,
                                      const pl_decl **record) {
  const pl_node *at = pl_node_bare((pl_node *)dst);
  for (const pl_node *of; at->nkids; at = of) {
    of = pl_node_bare(at->kids[0]);
    if (at->kind == PL_NODE_SUBSCRIPT &&
        (!of->type || of->type->kind == PL_TYPE_POINTER))
      return NULL;
    if (at->kind != PL_NODE_SUBSCRIPT && at->kind != PL_NODE_MEMBER)
      return NULL;
    if (at->kind != PL_NODE_MEMBER || !is_record_of_helper(of))
      continue;
    *record = of->decl;
    return at->decl && at->decl->is_field && !at->decl->is_in_union ? at->decl
                                                                    : NULL;
  }
  return NULL;
}

/* Whether two left sides lie in two fields of one record. */
static bool lie_apart(const pl_node *a, const pl_node *b) {
  const pl_decl *record = NULL, *other = NULL;
  const pl_decl *one = field_stored_to(a, &record);
  const pl_decl *two = field_stored_to(b, &other);
  bool same = one && two &&
              (record == other || (record->kind == PL_DECL_PARAM &&
                                   other->kind == PL_DECL_PARAM &&
                                   pl_same_type(record->type, other->type)));
  return same && one != two;
}

static bool store_apart(const pl_copy *a, const pl_copy *b) {
  for (const pl_node *x = a->store;; x = x->kids[1]) {
    for (const pl_node *y = b->store;; y = y->kids[1]) {
      if (!lie_apart(x->kids[0], y->kids[0]))
        return false;
      if (y == b->last)
        break;
    }
    if (x == a->last)
      return true;
  }
}

/* Whether two load helpers, that are handed one record, store to other fields of it. */
static bool fill_other_fields(const pl_fill_call *a, const pl_fill_call *b) {
  const pl_fill *one = &a->body->fill, *two = &b->body->fill;
  for (size_t i = 0; i < one->ncopies; i++)
    for (size_t k = 0; k < two->ncopies; k++)
      if (!store_apart(&one->copies[i], &two->copies[k]))
        return false;
  return one->ncopies && two->ncopies && !one->ncalls && !two->ncalls;
}

static bool meets_another_call(pl_loop *loop, const pl_fill *fill, size_t at,
                               const pl_tile *tile) {
  const pl_node *place = pl_tile_argument(loop, &fill->calls[at], tile);
  for (size_t i = 0; i < fill->ncalls; i++) {
    const pl_node *other =
        i == at ? NULL : pl_tile_argument(loop, &fill->calls[i], tile);
    bool member = pl_stands_for(fill->calls[at].body, tile->decl) ||
                  pl_stands_for(fill->calls[i].body, tile->decl);
    if (other && (member || pl_same_text(loop->unit, place, other)) &&
        !pl_are_exclusive(fill->calls[at].node, fill->calls[i].node) &&
        !fill_other_fields(&fill->calls[at], &fill->calls[i]))
      return true;
  }
  return false;
}

/* The same of what a called function copies: it may be any cell of what it is
 * handed. */
static void mark_mixed_calls(pl_loop *loop, const pl_fill *fill) {
  for (size_t i = 0; i < fill->ncalls; i++)
    for (size_t t = 0; t < loop->ntiles; t++) {
      pl_tile *tile = &loop->tiles[t];
      if (!pl_tile_argument(loop, &fill->calls[i], tile))
        continue;
      if (meets_another_call(loop, fill, i, tile))
        tile->stored_twice = true;
      for (size_t k = 0; k < fill->ncopies; k++)
        if (pl_stores_into(loop, &fill->copies[k], tile) &&
            !pl_are_exclusive(fill->calls[i].node, fill->copies[k].store))
          tile->stored_twice = true;
    }
}

void pl_mark_mixed(pl_loop *loop, pl_fill *fill) {
  mark_mixed_stores(loop, fill);
  mark_mixed_calls(loop, fill);
}
