/* coverage.c - are all cells of a tile written in every iteration?
 *
 * Needs: the writes of a fill as relations, and what they have in common in all
 * iterations. Gives: partial for tiles of which a guard that varies leaves cells
 * unwritten. Raises nothing. Whether a cell is written twice is asked in meetings.c.
 *
 * A write whose guard varies is no hindrance where, whenever it is made in some
 * iteration, one of the writes to the same cell is made in any other. */
#include "access.h"
#include "cfg.h"
#include "copies.h"

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
  return !pl_place_varies(loop, a->tile->decl, dst) &&
         pl_place_ever_varies(loop, a->tile->decl, dst);
}

/* Whether at most one of two runs, in each iteration of the loop around both. */
static bool are_exclusive(const pl_node *a, const pl_node *b) {
  const pl_node *loop = a;
  while (loop && !(pl_node_is_loop(loop) && pl_node_within(b, loop)))
    loop = loop->parent;
  return pl_cfg_are_exclusive(a, b, loop) == PL_YES;
}

/* Whether another branch writes to the tile instead. */
static bool has_other_side(const coverage *c, const pl_access *a) {
  for (size_t i = 0; i < c->of.n; i++)
    if (c->of.items[i].tile == a->tile &&
        are_exclusive(c->of.items[i].copy->store, a->copy->store))
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
  }
  for (size_t i = 0; i < fill->ncopies; i++)
    if (!is_followed(&c, &fill->copies[i]))
      fill->copies[i].tile->partial = true;
  pl_integers_free(c.integers);
  pl_arena_free(arena);
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
