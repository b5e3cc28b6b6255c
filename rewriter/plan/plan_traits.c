/* plan_traits.c - what kind of kernel is it?
 *
 * Needs: the tree and the effects. Gives: whether the kernel is persistent,
 * whether its compute waits for global memory, how often it reads the tile.
 * Raises nothing: plan_choose.c says what follows. */
#include "call_summary.h"
#include "plan.h"
#include "reaching_definitions.h"
#include "varies.h"

#define STREAM_READS 8 /* of compute, for each store into the tile */

/* ---- persistent kernels -------------------------------------------------- */

typedef struct grid_search {
  const pl_loop *loop;
  const pl_decl **visited; /* locals whose initialisers were looked at */
  size_t n, cap;
  bool found;
} grid_search;

/* `gridDim` itself, or a local that is set from it. */
static bool find_grid(pl_node *node, void *context) {
  grid_search *search = context;
  if (node->kind == PL_NODE_REF && pl_str_is(node->name, "gridDim"))
    search->found = true;
  else if (node->kind == PL_NODE_REF && node->decl && node->decl->init &&
           !pl_is_among(node->decl, search->visited, search->n)) {
    PL_PUSH(search->loop->arena, search->visited, search->n, search->cap,
            node->decl);
    pl_node_walk(node->decl->init, find_grid, search);
  }
  return !search->found;
}

static bool find_grid_step(pl_node *node, void *context) {
  grid_search *search = context;
  if (node == search->loop->node)
    return false;
  if (node->kind == PL_NODE_ASSIGN && node->nkids == 2)
    pl_node_walk(node->kids[1], find_grid, search);
  return !search->found;
}

/* A loop around the tile loop steps by the grid: the launch holds as many
 * blocks as run at once, or fewer, so that other blocks hide little. */
bool pl_is_persistent(const pl_loop *loop) {
  grid_search search = {.loop = loop};
  for (pl_node *up = loop->node->parent; up && !search.found; up = up->parent)
    if (up->kind == PL_NODE_FOR || up->kind == PL_NODE_WHILE)
      pl_node_walk(up, find_grid_step, &search);
  return search.found;
}

/* ---- loads of the compute side ------------------------------------------- */

/* A bound's value; of `min(TILE, n - k)` and `c ? TILE : n - k`, and of a local set to
 * that, TILE. */
static bool most_of(pl_loop *loop, pl_node *node, int64_t *value) {
  pl_node *init = pl_reaching_initialiser(pl_node_bare(node));
  node = pl_node_bare(init ? init : node);
  return pl_loop_eval(loop, NULL, node, value, NULL) ||
         ((node->kind == PL_NODE_COND || pl_calls_builtin(node, "min")) &&
          (most_of(loop, node->kids[1], value) ||
           most_of(loop, node->kids[2], value)));
}

int64_t pl_full_trips(pl_loop *loop, pl_node *node) {
  int64_t trips = pl_trip_count(loop, node);
  pl_node *bound = pl_counted_bound(node);
  if (trips < 0 && bound && most_of(loop, bound, &trips) && trips < 0)
    trips = 0;
  return trips;
}

/* How often one thread evaluates `node` in a full tile's compute. A loop that does
 * not count out counts once if `least` is asked for, else not at all. */
static double evaluations(pl_loop *loop, const pl_stmt *stmt,
                          const pl_node *node, bool least) {
  double times = 1;
  for (const pl_node *up = node; up; up = up == stmt->node ? NULL : up->parent) {
    if (up->kind != PL_NODE_FOR && up->kind != PL_NODE_WHILE)
      continue;
    int64_t trips = least ? pl_full_trips(loop, (pl_node *)up)
                          : pl_trip_count(loop, (pl_node *)up);
    if (trips < 0)
      trips = least;
    times *= (double)trips;
  }
  return times;
}

/* Whether a root is a parameter of a device function that its callers give an
 * array of their own: a reference to one, or what compute writes as well. */
static bool is_callers_array(const pl_loop *loop, pl_root root) {
  const pl_decl *decl = root.decl;
  if (loop->func->is_global || !decl || decl->kind != PL_DECL_PARAM)
    return false;
  if (decl->type && decl->type->kind == PL_TYPE_REFERENCE)
    return true;
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      if (effect->kind == PL_EFFECT_WRITE && !effect->direct &&
          pl_root_eq(effect->root, root))
        return true;
    }
  return false;
}

static bool is_set_inside(pl_node *node, const void *context) {
  const pl_loop *loop = context;
  return node->kind == PL_NODE_REF && node->decl &&
         (pl_declared_inside(node->decl, loop->node) ||
          pl_written_in_loop(loop, node->decl));
}

/* Whether a load is from one place in all iterations, also of the loops within. */
static bool stays_in_place(pl_loop *loop, pl_node *node) {
  return !pl_node_find(node, is_set_inside, loop) && !pl_varies(loop, node);
}

/* Compute that loads far more from global memory than the tile holds waits for
 * those loads; staged registers and barriers only come on top. What it loads from one
 * place is in a register: the compiler takes it out of the loop. */
bool pl_computes_on_global(pl_loop *loop) {
  double reads = 0;
  int64_t stores = 0;
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    stores += loop->fill.copies[i].slots > 0 ? loop->fill.copies[i].slots : 1;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (!stmt->in_compute || stmt->in_load)
      continue;
    for (size_t j = 0; j < stmt->effects.n; j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      if (effect->kind != PL_EFFECT_READ || effect->space != PL_SPACE_GLOBAL ||
          effect->by_call || is_callers_array(loop, effect->root) ||
          stays_in_place(loop, effect->node))
        continue;
      reads += evaluations(loop, stmt, effect->node, false);
    }
  }
  return stores > 0 && reads >= (double)(STREAM_READS * stores);
}

/* ---- reads of the tile -------------------------------------------------- */

double pl_reads_of_tiles(pl_loop *loop) {
  double reads = 0;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (!stmt->in_compute || stmt->in_load)
      continue;
    for (size_t j = 0; j < stmt->effects.n; j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      if (effect->kind == PL_EFFECT_READ && effect->root.decl &&
          pl_loop_tile(loop, effect->root.decl))
        reads += evaluations(loop, stmt, effect->node, true);
    }
  }
  return reads;
}

double pl_reads_per_copy(pl_loop *loop) {
  double copies = (double)loop->staging_bytes / pl_narrowest_copy(loop);
  return copies > 0 ? pl_reads_of_tiles(loop) / copies : 0;
}
