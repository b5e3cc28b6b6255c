/* plan_traits.c - what kind of kernel is it?
 *
 * Needs: the tree and the effects. Gives: the operations a byte, whether the
 * kernel is persistent, whether its compute waits for global memory. Raises
 * nothing: plan_choose.c says what follows. */
#include "linear.h"
#include "plan.h"

#define STREAM_READS 8 /* of compute, for each store into the tile */

/* ---- persistent kernels -------------------------------------------------- */

typedef struct grid_search {
  const pl_node *skip;
  bool found;
} grid_search;

/* `gridDim` itself, or a local that is set from it. */
static bool find_grid(pl_node *node, void *context) {
  grid_search *search = context;
  if (node->kind == PL_NODE_REF && pl_str_is(node->name, "gridDim"))
    search->found = true;
  else if (node->kind == PL_NODE_REF && node->decl && node->decl->init &&
           node->decl->init != search->skip) {
    grid_search inner = {node->decl->init, false};
    pl_node_walk(node->decl->init, find_grid, &inner);
    search->found |= inner.found;
  }
  return !search->found;
}

static bool find_grid_step(pl_node *node, void *context) {
  grid_search *search = context;
  if (node == search->skip)
    return false;
  if (node->kind == PL_NODE_ASSIGN && node->nkids == 2) {
    grid_search step = {NULL, false};
    pl_node_walk(node->kids[1], find_grid, &step);
    search->found |= step.found;
  }
  return !search->found;
}

/* A loop around the tile loop steps by the grid: the launch holds as many
 * blocks as run at once, or fewer, so that other blocks hide little. */
bool pl_is_persistent(const pl_loop *loop) {
  grid_search search = {loop->node, false};
  for (pl_node *up = loop->node->parent; up && !search.found; up = up->parent)
    if (up->kind == PL_NODE_FOR || up->kind == PL_NODE_WHILE)
      pl_node_walk(up, find_grid_step, &search);
  return search.found;
}

/* ---- loads of the compute side ------------------------------------------- */

/* A bound's value; of `min(TILE, n - k)`, and of a local set to that, TILE. */
static bool most_of(pl_loop *loop, pl_node *node, int64_t *value) {
  const pl_node *arms[2], *place = node;
  node = pl_node_bare(node);
  if (pl_loop_eval(loop, NULL, node, value, NULL))
    return true;
  return pl_smaller_of(loop, node, &place, arms) &&
         (most_of(loop, (pl_node *)arms[0], value) ||
          most_of(loop, (pl_node *)arms[1], value));
}

/* How often one thread evaluates `node` in a full tile's compute. A loop that does
 * not count out counts once if `least` is asked for, else not at all. */
static double evaluations(pl_loop *loop, const pl_stmt *stmt,
                          const pl_node *node, bool least) {
  double times = 1;
  for (const pl_node *up = node; up; up = up == stmt->node ? NULL : up->parent) {
    if (up->kind != PL_NODE_FOR && up->kind != PL_NODE_WHILE)
      continue;
    int64_t trips = pl_trip_count(loop, (pl_node *)up);
    pl_node *bound = pl_counted_bound((pl_node *)up);
    if (trips < 0 && least && (!bound || !most_of(loop, bound, &trips)))
      trips = 1;
    times *= trips > 0 ? (double)trips : 0;
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

/* Compute that loads far more from global memory than the tile holds waits for
 * those loads; staged registers and barriers only come on top. */
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
          effect->by_call || is_callers_array(loop, effect->root))
        continue;
      reads += evaluations(loop, stmt, effect->node, false);
    }
  }
  return stores > 0 && reads >= (double)(STREAM_READS * stores);
}

/* ---- reads of the tile -------------------------------------------------- */

/* Reads of the tiles by one thread's compute, for each copy it makes. */
double pl_reads_per_copy(pl_loop *loop) {
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
  double copies = (double)loop->staging_bytes / pl_narrowest_copy(loop);
  return copies > 0 ? reads / copies : 0;
}

/* ---- the compute/load ratio ---------------------------------------------- */

/* Operations of one warp matrix product of 16x16x16, a thread. */
#define FRAGMENT_OPERATIONS (2.0 * 16 * 16 * 16 / 32)

static bool is_arithmetic(const pl_node *node) {
  if (node->kind != PL_NODE_BINARY && node->kind != PL_NODE_ASSIGN)
    return false;
  bool op = node->op == PL_OP_ADD || node->op == PL_OP_SUB ||
            node->op == PL_OP_MUL || node->op == PL_OP_DIV;
  const pl_type *type = node->kind == PL_NODE_ASSIGN ? node->kids[0]->type
                                                     : node->type;
  if (type && type->kind == PL_TYPE_REFERENCE)
    type = type->element;
  return op && type &&
         (type->kind == PL_TYPE_FLOAT || type->kind == PL_TYPE_RECORD ||
          type->kind == PL_TYPE_DEPENDENT);
}

/* Arithmetic operations of one thread below `node`; < 0: a loop does not count
 * out. */
static double operations(pl_loop *loop, pl_node *node) {
  if (!node)
    return 0;
  double sum = is_arithmetic(node) ? 1 : 0;
  if (node->kind == PL_NODE_CALL && pl_str_starts(node->name, "fma"))
    sum = 2;
  if (node->kind == PL_NODE_CALL && pl_str_is(node->name, "mma_sync"))
    sum = FRAGMENT_OPERATIONS;
  for (uint32_t i = 0; i < node->nkids; i++) {
    double part = operations(loop, node->kids[i]);
    if (part < 0)
      return -1;
    sum += part;
  }
  if (node->kind == PL_NODE_CALL && node->decl && node->decl->func &&
      node->decl->func != loop->func && node->decl->func->nparams < 16) {
    pl_loop inner = *loop;
    inner.func = node->decl->func;
    double part = operations(&inner, node->decl->func->body);
    return part < 0 ? -1 : sum + part;
  }
  if (node->kind != PL_NODE_FOR && node->kind != PL_NODE_WHILE)
    return sum;
  if (sum == 0)
    return 0;
  int64_t trips = pl_trip_count(loop, node);
  return trips < 0 ? -1 : sum * (double)trips;
}

/* Operations of one tile's compute for each byte loaded. For a GEMM this is
 * 2 BM BN BK / ((BM BK + BK BN) sizeof(T)), the ratio of the guide that the
 * `ldg` and `cp.async` forms come from; below 5 it advises asynchronous copies,
 * above 20 it expects little. Those two bounds are not decided on, for they put
 * that guide's own best kernel above 20; STREAM_RATIO is (choose_deep). */
void pl_measure_ratio(pl_loop *loop) {
  double sum = 0;
  int64_t bytes = 0;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (!stmt->in_compute || stmt->in_load)
      continue;
    double part = operations(loop, stmt->node);
    if (part < 0)
      return;
    sum += part;
  }
  for (size_t t = 0; t < loop->ntiles; t++) {
    if (loop->tiles[t].bytes <= 0)
      return;
    bytes += loop->tiles[t].bytes;
  }
  if (loop->threads > 0 && bytes > 0)
    loop->ratio = sum * (double)loop->threads / (double)bytes;
}
