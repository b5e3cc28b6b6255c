/* trip_counts.c - does a loop go on for all threads, or for none?
 *
 * Needs: the run of the loop's text. Gives: whether both sides of the comparison that it
 * goes on by hang on the thread in such a way that it decides alike for all: by what is
 * left of them, one less the other. Raises: nothing.
 *
 * What is left is what the threads share, g, and what is each one's own, t. Without t
 * all decide alike: `p < end` of a thread's own pointers. `t + g < 0` is `g < 0` where g
 * is a multiple of a size, and t at least zero and below it:
 * `for (i = threadIdx.x; i < n / 64 * 64; i += 64)`. */
#include "access.h"
#include "copies.h"

/* `own + shared < 0`. */
typedef struct remaining {
  pl_accesses *of;
  pl_affine *own, *shared;
} remaining;

static pl_affine *empty_form(pl_accesses *of, uint32_t terms) {
  return pl_arena_alloc(of->names.arena,
                        sizeof(pl_affine) + terms * sizeof(pl_affine_term));
}

static remaining split(pl_accesses *of, const pl_affine *form) {
  remaining r = {of, empty_form(of, form->n), empty_form(of, form->n)};
  r.shared->constant = form->constant;
  for (uint32_t i = 0; i < form->n; i++) {
    bool same = pl_is_same_name(&of->names, form->terms[i].name, PL_IN_THREADS);
    pl_affine *to = same ? r.shared : r.own;
    to->terms[to->n++] = form->terms[i];
  }
  return r;
}

static int64_t greatest_divisor(int64_t a, int64_t b) {
  while (b) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

/* By a size that is a number. */
static bool is_within_number(const remaining *r, pl_interval own) {
  int64_t size = 0;
  for (uint32_t i = 0; i < r->shared->n; i++)
    size = greatest_divisor(size, r->shared->terms[i].by);
  if (size == 0)
    return false;
  int64_t over = r->shared->constant % size;
  over += over < 0 ? size : 0;
  return own.least + over >= 0 && own.largest < size - over;
}

static bool has_factor(const pl_affines *all, uint32_t name, uint32_t factor) {
  const pl_affine_name *at = &all->names[name];
  return name == factor ||
         (at->kind == PL_NAME_PRODUCT &&
          (has_factor(all, at->of->terms[0].name, factor) ||
           has_factor(all, at->with->terms[0].name, factor)));
}

/* By a size that is a name, of which all that the threads share is a multiple. */
static bool is_within_name(const remaining *r, const pl_affine *own,
                           const pl_affine *size) {
  if (size->n != 1 || size->constant || size->terms[0].by != 1 || r->shared->constant ||
      !pl_affine_equal(r->own, own) || !r->shared->n)
    return false;
  for (uint32_t i = 0; i < r->shared->n; i++)
    if (!has_factor(&r->of->names, r->shared->terms[i].name, size->terms[0].name))
      return false;
  return true;
}

static bool is_place_in_block(const remaining *r) {
  const pl_places *at = &r->of->places;
  for (int axis = 0; axis < 3; axis++)
    if (is_within_name(r, at->thread[axis], at->block[axis]))
      return true;
  return is_within_name(r, at->rank, at->size);
}

/* ---- the tiles' rows ------------------------------------------------------- */

typedef struct rows {
  pl_named_cell *cells; /* that the loop's body itself stores to */
  const pl_decl **tiles;
  size_t n;
} rows;

static rows rows_of(pl_loop *loop, pl_arena *arena) {
  rows all = {.cells = PL_NEW_ARRAY(arena, pl_named_cell, loop->fill.ncopies + 1),
              .tiles = PL_NEW_ARRAY(arena, const pl_decl *, loop->fill.ncopies + 1)};
  for (size_t i = 0; i < loop->fill.ncopies; i++) {
    const pl_copy *copy = &loop->fill.copies[i];
    const pl_decl *tile = copy->tile->decl;
    pl_node *at = pl_node_bare(copy->dst);
    while (at->nkids && (at->kind == PL_NODE_SUBSCRIPT || at->kind == PL_NODE_MEMBER))
      at = pl_node_bare(at->kids[0]);
    if (tile->ndims && tile->dims[0] && copy->store->parent == loop->body &&
        at->kind == PL_NODE_REF && at->decl == tile &&
        pl_cell_of(tile, at, &all.cells[all.n]))
      all.tiles[all.n++] = tile;
  }
  return all;
}

/* Whether each iteration stores to a row by what is the thread's own, so that no thread
 * beyond those that the tile has rows for runs any. */
static bool is_place_in_tile(const remaining *r, const rows *all) {
  pl_accesses *of = r->of;
  for (size_t i = 0; i < of->nseen; i++) {
    const pl_seen_cell *seen = &of->seen[i];
    const pl_decl *tile = all->tiles[seen->cell - all->cells];
    if (!seen->sure || !pl_affine_equal(seen->index[0], r->own))
      continue;
    const pl_affine *size =
        pl_typed_form(&of->names, pl_access_value(of, tile->dims[0]));
    if (pl_affine_is_number(size)
            ? is_within_number(r, (pl_interval){0, size->constant - 1})
            : is_within_name(r, r->own, size))
      return true;
  }
  return false;
}

/* ---- a comparison ------------------------------------------------------------ */

/* `of op 0`, of which the run has seen the sides. */
static bool is_decided_alike(pl_accesses *of, pl_op op, const pl_affine *form,
                             const rows *all) {
  remaining r = split(of, form);
  if (!r.own->n)
    return true;
  r.shared->constant -= op == PL_OP_LE;
  return (op == PL_OP_LT || op == PL_OP_LE) &&
         (is_within_number(&r, pl_affine_range(&of->names, r.own)) ||
          is_place_in_block(&r) || is_place_in_tile(&r, all));
}

static bool is_pointer(const pl_node *node) {
  const pl_type *type = pl_node_bare((pl_node *)node)->type;
  return type && type->kind == PL_TYPE_POINTER;
}

bool pl_is_decided_alike(pl_loop *loop, pl_node *relation) {
  pl_accesses of;
  pl_arena *arena = pl_arena_child(loop->arena);
  rows all = rows_of(loop, arena);
  bool pointers = is_pointer(relation->kids[0]) && is_pointer(relation->kids[1]);
  pl_find_sides(&of, arena, loop, relation, all.cells, all.n);
  bool alike = false;
  if (!of.cut && of.sides_met && pointers)
    alike = !split(&of, pl_affine_add(&of.names, of.sides[0].is, of.sides[1].is, -1)).own->n;
  else if (!of.cut && of.sides_met) {
    const pl_where *where =
        pl_typed_compare(&of.names, relation->op, of.sides[0], of.sides[1]).yes;
    alike = is_decided_alike(&of, where->op, where->of, &all);
  }
  pl_arena_free(arena);
  return alike;
}
