/* meetings.c - do two of a thread's copies meet in one cell of a tile?
 *
 * Needs: the cells that each thread stores to. Gives: stored_twice for tiles where
 * they do, as asynchronous copies land in no order. Raises: nothing.
 *
 * Two stores of one thread to overlapping bytes are a meeting, unless they stand
 * in the two arms of a branch. Where the distance of two cells is not the same in
 * all worlds, what is not known decides it, and some value may bring them
 * together. */
#include "cells.h"

#include <stdlib.h>

#define MOST_CELLS 16384
#define MOST_CELLS_LATER 2048 /* of a thread that is not the first */
#define MOST_CELLS_BELOW 256  /* in a world that only adds to others */
#define MOST_WORK 8000000     /* steps of all threads in all worlds */

/* ---- meetings -------------------------------------------------------------------- */

static bool are_exclusive(const pl_cell *a, const pl_cell *b) {
  return a->copy != b->copy && pl_are_exclusive(a->copy->store, b->copy->store);
}

static int by_place(const void *x, const void *y) {
  const pl_cell *a = x, *b = y;
  if (a->tile != b->tile)
    return a->tile < b->tile ? -1 : 1;
  return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Whether the bounds of a tile's rows are open. */
static bool has_open_rows(const pl_machine *m, const pl_tile *tile) {
  const pl_type *type = pl_decl_type(tile->decl, m->instance);
  return type && type->element && type->element->kind == PL_TYPE_ARRAY &&
         pl_type_size(type->element, m->loop->func, m->instance) < 0;
}

/* Whether a place is named by row and column, `s[1][i][j]`, so that another
 * row is another place whatever the bounds are. */
static bool goes_by_rows(const pl_node *place) {
  place = pl_node_bare((pl_node *)place);
  while (place->nkids && !place->is_arrow &&
         (place->kind == PL_NODE_SUBSCRIPT || place->kind == PL_NODE_MEMBER)) {
    place = pl_node_bare(place->kids[0]);
    if (place->type && place->type->kind == PL_TYPE_POINTER)
      return false;
  }
  return place->kind == PL_NODE_REF;
}

/* The same for all cells from `first` to `end`. */
static bool go_by_rows(const pl_machine *m, size_t first, size_t end) {
  const pl_copy *last = NULL;
  for (size_t i = first; i < end; i++) {
    const pl_copy *copy = m->cells[i].copy;
    if (copy != last && !goes_by_rows(copy->dst))
      return false;
    last = copy;
  }
  return true;
}

/* Whether two of one tile's cells, in order, lie over each other; `anywhere`:
 * how far they are apart is not known unless both are named by row. */
static bool overlap(const pl_machine *m, size_t first, size_t end,
                    bool anywhere) {
  for (size_t i = first; i < end; i++) {
    const pl_cell *a = &m->cells[i];
    for (size_t k = i + 1; k < end; k++) {
      const pl_cell *b = &m->cells[k];
      if (b->begin >= a->end && !anywhere)
        break;
      if ((b->begin < a->end || !goes_by_rows(a->copy->dst) ||
           !goes_by_rows(b->copy->dst)) &&
          !are_exclusive(a, b))
        return true;
    }
  }
  return false;
}

/* Sorts a thread's cells and marks tiles where two lie over each other. */
static void mark_overlaps(pl_machine *m) {
  if (m->ncells)
    qsort(m->cells, m->ncells, sizeof *m->cells, by_place);
  for (size_t i = 0, end; i < m->ncells; i = end) {
    pl_tile *tile = m->cells[i].tile;
    for (end = i; end < m->ncells && m->cells[end].tile == tile;)
      end++;
    bool anywhere = has_open_rows(m, tile) && !go_by_rows(m, i, end);
    tile->stored_twice =
        tile->stored_twice || overlap(m, i, end, anywhere);
  }
}

/* ---- worlds ---------------------------------------------------------------------- */

static int by_execution(const void *x, const void *y) {
  const pl_cell *a = x, *b = y;
  if (a->copy != b->copy)
    return a->copy < b->copy ? -1 : 1;
  return (a->where > b->where) - (a->where < b->where);
}

/* How much further a cell lies in another world; false: it is not stored there. */
static bool shift_of(const pl_machine *other, const pl_cell *of, int64_t *shift) {
  const pl_cell *same = other->ncells
                            ? bsearch(of, other->cells, other->ncells,
                                      sizeof *of, by_execution)
                            : NULL;
  if (same)
    *shift = pl_cell_arithmetic(PL_OP_SUB, same->begin, of->begin);
  return same != NULL;
}

/* Marks tiles of which two cells are not as far apart as in the first world. */
static void mark_shifts(const pl_machine *first, pl_machine *other) {
  if (other->ncells)
    qsort(other->cells, other->ncells, sizeof *other->cells, by_execution);
  for (size_t i = 0; i < first->ncells; i++) {
    const pl_cell *a = &first->cells[i];
    int64_t here, there;
    if (a->tile->stored_twice || !shift_of(other, a, &here))
      continue;
    for (size_t k = i; k-- > 0;) {
      const pl_cell *b = &first->cells[k];
      if (a->tile != b->tile)
        break;
      if (are_exclusive(a, b) || !shift_of(other, b, &there))
        continue;
      if (here != there)
        a->tile->stored_twice = true;
      break;
    }
  }
}

/* ---- threads --------------------------------------------------------------------- */

/* What is not known is too small there for most loops, or a step of none: where
 * one has no end, the other worlds tell. */
static bool adds(int world) {
  return world != WORLD_FIRST && world != WORLD_OTHER;
}

/* Runs the fill in *m, whose lists are used anew. */
static void run_world(pl_survey *all, pl_machine *m,
                      const pl_instance *instance, int world,
                      const int64_t *thread, size_t most_cells) {
  if (adds(world) && most_cells > MOST_CELLS_BELOW)
    most_cells = MOST_CELLS_BELOW;
  *m = (pl_machine){.all = all,
                    .loop = all->loop,
                    .fill = all->fill,
                    .instance = instance,
                    .items = m->items,
                    .cap = m->cap,
                    .cells = m->cells,
                    .cells_cap = m->cells_cap,
                    .most_cells = most_cells,
                    .handed = m->handed,
                    .handed_cap = m->handed_cap,
                    .kept = m->kept,
                    .kept_cap = m->kept_cap,
                    .func = all->loop->func,
                    .thread = {thread[0], thread[1], thread[2]},
                    .world = world};
  pl_run_fill(m);
  all->work += m->steps;
  all->bends = all->bends || m->bends;
}

static void run_thread(pl_survey *all, const pl_instance *instance, int64_t x,
                       int64_t y, int64_t z, bool is_first) {
  int64_t thread[3] = {x, y, z};
  size_t most = is_first ? MOST_CELLS : MOST_CELLS_LATER;
  pl_machine *first = &all->machines[0], *other = &all->machines[1];
  run_world(all, first, instance, WORLD_FIRST, thread, most);
  mark_overlaps(first);
  all->cut = all->cut || first->cut;
  for (int world = WORLD_OTHER; first->differs && world < WORLDS; world++) {
    run_world(all, other, instance, world, thread, most);
    all->cut = all->cut || (other->cut && !adds(world));
    if (other->cut && adds(world))
      continue;
    mark_overlaps(other);
    mark_shifts(first, other);
  }
}

/* Whether another thread's cells are those of the first one, all of a tile moved by
 * as much. */
static bool is_moved(const pl_machine *first, const pl_machine *other) {
  if (first->ncells != other->ncells || first->cut || other->cut)
    return false;
  for (size_t i = 0; i < first->ncells; i++) {
    const pl_cell *a = &first->cells[i], *b = &other->cells[i];
    size_t k = 0; /* the tile's first */
    while (first->cells[k].tile != a->tile)
      k++;
    if (a->copy != b->copy || a->where != b->where ||
        b->begin - a->begin != other->cells[k].begin - first->cells[k].begin)
      return false;
  }
  return true;
}

/* Whether what the first thread stores to tells of all: where cells are sums of
 * multiples of the thread's indices, a step along each axis shows the multiples. */
static bool are_alike(pl_survey *all, const pl_instance *instance) {
  pl_machine *first = &all->machines[0], *other = &all->machines[1];
  for (int world = WORLD_FIRST; world < WORLDS && !all->bends; world++) {
    run_world(all, first, instance, world, (int64_t[3]){0, 0, 0}, MOST_CELLS);
    if (first->cut && adds(world))
      continue;
    for (int axis = 0; axis < 3; axis++) {
      int64_t thread[3] = {axis == 0, axis == 1, axis == 2};
      run_world(all, other, instance, world, thread, MOST_CELLS);
      if (!is_moved(first, other))
        return false;
    }
  }
  return !all->bends;
}

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
static bool all_found(const pl_survey *all) {
  for (size_t i = 0; i < all->loop->ntiles; i++)
    if (!all->loop->tiles[i].stored_twice &&
        !is_by_registers(all->fill, &all->loop->tiles[i]))
      return false;
  return true;
}

/* The first threads and the last, then all that may be of another kind. */
static void run_block(pl_survey *all, const pl_instance *instance) {
  int64_t wide = all->extent[0], high = all->extent[1], deep = all->extent[2];
  all->bends = false;
  run_thread(all, instance, 0, 0, 0, true);
  run_thread(all, instance, wide > 1, high > 1, deep > 1, true);
  run_thread(all, instance, wide > 0 ? wide - 1 : 0, high > 0 ? high - 1 : 0,
             deep > 0 ? deep - 1 : 0, true);
  if (all_found(all) || are_alike(all, instance))
    return;
  for (int64_t z = 0; z < deep; z++)
    for (int64_t y = 0; y < high; y++)
      for (int64_t x = 0; x < wide && all->work < MOST_WORK; x++)
        run_thread(all, instance, x, y, z, false);
  bool known = pl_block_threads(all->loop) > 0;
  for (int64_t x = wide; !known && x < 1024 && all->work < MOST_WORK; x++)
    run_thread(all, instance, x, 0, 0, false);
  all->cut = all->cut || all->work >= MOST_WORK;
}

/* Not all stores were looked at: some may meet. */
static void mark_all(pl_survey *all) {
  for (size_t i = 0; i < all->loop->ntiles; i++)
    all->loop->tiles[i].stored_twice = true;
}

/* Two threads of a block of another size, where the text may ask for it. */
static void run_extent(pl_survey *all, const pl_instance *instance,
                       const int64_t *extent) {
  int64_t usual[3] = {all->extent[0], all->extent[1], all->extent[2]};
  for (int i = 0; i < 3; i++)
    all->extent[i] = extent[i];
  run_thread(all, instance, 0, 0, 0, false);
  run_thread(all, instance, extent[0] - 1, extent[1] - 1, extent[2] - 1, false);
  for (int i = 0; i < 3; i++)
    all->extent[i] = usual[i];
}

/* Every launch that is seen has a block; where none is, it may have any. */
static void run_other_blocks(pl_survey *all, const pl_instance *instance) {
  const pl_func *func = all->loop->func;
  for (uint32_t i = 0; i < func->nlaunches; i++)
    if (func->launches[i].block_dims[0] > 0)
      run_extent(all, instance, func->launches[i].block_dims);
  bool known = pl_block_threads(all->loop) > 0;
  for (int64_t x = 32; !known && x <= 1024; x += 32)
    run_extent(all, instance,
               (int64_t[3]){x, all->extent[1], all->extent[2]});
}

/* All that a thread of any block may do, for one instantiation. */
static void run_blocks(pl_survey *all, const pl_instance *instance) {
  run_block(all, instance);
  if (all->asks_block && !all->cut && !all_found(all))
    run_other_blocks(all, instance);
}

static bool is_repeated(const pl_loop *loop, const pl_copy *copy) {
  for (const pl_node *up = copy->store->parent; up && up != loop->body;
       up = up->parent)
    if (pl_node_is_loop(up))
      return true;
  return false;
}

/* Whether a tile has more than one store of a thread. */
static bool may_meet(const pl_loop *loop, const pl_fill *fill) {
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
  pl_machine machines[2] = {0};
  pl_survey all = {.loop = loop, .fill = fill, .machines = machines};
  if (!may_be_async(fill) || !may_meet(loop, fill) || all_found(&all))
    return;
  for (int i = 0; i < 3; i++)
    all.extent[i] = pl_block_extent(loop, "xyz"[i], true);
  if (!loop->func->ninstances)
    run_blocks(&all, NULL);
  for (uint32_t i = 0; i < loop->func->ninstances && !all.cut; i++)
    run_blocks(&all, &loop->func->instances[i]);
  if (all.cut)
    mark_all(&all);
}
