/* plan.c - which variant, how many stages, at what cost?
 *
 * Needs: legality and split. Gives: variant, stages and the shared-memory
 * budget of each legal loop. Raises: PL3004, PL3005, PL3006, PL3009, PL5001 to
 * PL5005, PL6001, PL6002, PL7001, PL7002, PL8001.
 *
 * The model behind `auto` rests on measurements of hand-made variants (an H200,
 * docs/gpu-results.md): 16-byte asynchronous copies win 16 to 23 %, 4-byte ones
 * lose 8 %; register staging wins 3 to 31 % where its registers do not cost
 * occupancy; one buffer is the fall-back that fits everywhere. */
#include "loop.h"

#define AUTO_STAGING_BYTES 256
#define STREAM_RATIO 1.0 /* operations a byte */
#define DEEPEST 8
#define STREAM_READS 8 /* of compute, for each store into the tile */
#define MOST_STAGING_BYTES 512

/* ---- shared memory ---------------------------------------------------------- */

typedef struct shared_sum {
  const pl_loop *loop;
  const pl_func *func;
  const pl_instance *instance;
  int64_t bytes;
  bool dynamic, unknown;
  int depth;
} shared_sum;

/* sizeof a shared object under an instantiation: from its type, or from its
 * bounds where a template decides them. */
static int64_t object_bytes(const pl_loop *loop, const pl_decl *decl,
                            const pl_func *func, const pl_instance *instance) {
  int64_t size = pl_type_size(decl->type, func, instance);
  for (size_t i = 0; size < 0 && instance && i < instance->nobjects; i++)
    if (instance->objects[i].at == decl->name_range.begin)
      return instance->objects[i].bytes;
  if (size >= 0 || decl->ndims == 0)
    return size;
  const pl_type *element = decl->type;
  for (uint32_t i = 0; i < decl->ndims; i++)
    if (element && element->kind == PL_TYPE_ARRAY)
      element = element->element;
  size = element ? pl_type_size(element, func, instance) : -1;
  for (uint32_t i = 0; i < decl->ndims && size >= 0; i++) {
    int64_t count;
    if (!pl_loop_eval(loop, instance, decl->dims[i], &count, NULL))
      return -1;
    size *= count;
  }
  return size;
}

static bool add_shared(pl_node *node, void *context) {
  shared_sum *sum = context;
  if (node->kind == PL_NODE_VAR && node->decl && node->decl->is_shared) {
    if (node->decl->is_extern) {
      sum->dynamic = true;
      return true;
    }
    int64_t size =
        object_bytes(sum->loop, node->decl, sum->func, sum->instance);
    if (size < 0)
      sum->unknown = true;
    else
      sum->bytes += size;
  }
  if (node->kind == PL_NODE_CALL && node->decl && node->decl->func &&
      sum->depth < 4) {
    sum->depth++;
    pl_node_walk(node->decl->func->body, add_shared, sum);
    sum->depth--;
  }
  return true;
}

static int64_t dynamic_bytes(const pl_func *func) {
  int64_t most = -1;
  for (uint32_t i = 0; i < func->nlaunches; i++) {
    if (func->launches[i].shared_bytes < 0)
      return -1;
    if (func->launches[i].shared_bytes > most)
      most = func->launches[i].shared_bytes;
  }
  return most;
}

static const pl_instance *instance_at(const pl_func *func, uint32_t i) {
  return func->ninstances ? &func->instances[i] : NULL;
}

/* Static and dynamic bytes of a block, the most over the instantiations. */
static void measure_shared(pl_loop *loop) {
  uint32_t n = loop->func->ninstances ? loop->func->ninstances : 1;
  int64_t most = -1;
  bool unknown = false, dynamic = false;
  for (uint32_t i = 0; i < n; i++) {
    shared_sum sum = {loop, loop->func, instance_at(loop->func, i), 0, false, false,
                      0};
    pl_node_walk(loop->func->body, add_shared, &sum);
    unknown = unknown || sum.unknown;
    dynamic = dynamic || sum.dynamic;
    most = sum.bytes > most ? sum.bytes : most;
  }
  if (dynamic && dynamic_bytes(loop->func) >= 0)
    most += dynamic_bytes(loop->func);
  else if (dynamic)
    unknown = true;
  for (size_t t = 0; t < loop->ntiles; t++)
    unknown = unknown || loop->tiles[t].decl->kind == PL_DECL_PARAM;
  loop->smem_before = unknown ? -1 : most;
  for (size_t t = 0; t < loop->ntiles; t++) {
    pl_tile *tile = &loop->tiles[t];
    tile->bytes = -1;
    for (uint32_t i = 0; i < n && !tile->dynamic; i++) {
      int64_t size = object_bytes(loop, tile->decl, loop->func,
                                  instance_at(loop->func, i));
      tile->bytes = size > tile->bytes ? size : tile->bytes;
    }
  }
}

/* What one more stage of every tile adds, -1: unknown. */
static int64_t stage_bytes(const pl_loop *loop) {
  int64_t bytes = 0;
  for (size_t t = 0; t < loop->ntiles; t++) {
    if (loop->tiles[t].bytes < 0)
      return -1;
    int64_t align = loop->tiles[t].align ? loop->tiles[t].align : 4;
    bytes += (loop->tiles[t].bytes + align - 1) / align * align;
  }
  return bytes;
}

static int64_t bytes_with(const pl_loop *loop, int stages) {
  int64_t stage = stage_bytes(loop);
  if (loop->smem_before < 0 || stage < 0)
    return -1;
  return loop->smem_before + (stages - 1) * stage;
}

/* Blocks of a multiprocessor as shared memory and threads allow; registers are
 * not known before compilation. */
static int blocks_for(const pl_loop *loop, int64_t smem) {
  if (smem < 0)
    return -1;
  return pl_arch_blocks(pl_loop_arch(loop), loop->threads, 0, smem);
}

static int64_t smem_limit(const pl_loop *loop) {
  int64_t limit = pl_loop_arch(loop)->smem_block_static;
  if (loop->options->max_smem > 0)
    limit = loop->options->max_smem;
  return limit;
}

/* ---- what applies ------------------------------------------------------------ */

static void no_double(pl_loop *loop, const char *id, const char *why,
                      pl_str name) {
  if (loop->double_id)
    return;
  loop->double_id = id;
  loop->double_why =
      pl_arena_printf(loop->arena, "tile '%.*s' %s", PL_FMT(name), why);
}

/* The alignment that every stage of a tile has to keep. */
static int64_t tile_alignment(const pl_loop *loop, const pl_tile *tile) {
  int64_t align = tile->decl->align_attr > 0 ? tile->decl->align_attr : 0;
  if (!tile->wide)
    return align;
  int64_t need = 16;
  for (size_t i = 0; i < loop->nstmts; i++) {
    pl_str text = pl_unit_slice(loop->unit, loop->stmts[i].node->range);
    if (pl_str_has(text, "load_matrix_sync"))
      need = 32;
  }
  return align > need ? align : need;
}

static size_t declarators_beside(const pl_decl *decl) {
  const pl_node *stmt = decl->node ? decl->node->parent : NULL;
  return stmt && stmt->kind == PL_NODE_DECL_STMT ? stmt->nkids : 1;
}

static bool needs_padding(const pl_tile *tile) {
  return tile->align > 0 && (tile->bytes < 0 || tile->bytes % tile->align);
}

static void find_double(pl_loop *loop) {
  for (size_t t = 0; t < loop->ntiles; t++) {
    pl_tile *tile = &loop->tiles[t];
    pl_str name = tile->decl->name;
    tile->align = tile_alignment(loop, tile);
    if (tile->decl->kind == PL_DECL_PARAM)
      no_double(loop, "PL3009", "belongs to the callers", name);
    if (tile->dynamic)
      no_double(loop, "PL5005", "lies in dynamic shared memory", name);
    if (tile->bytes < 0 && loop->func->ninstances > 0 && !tile->dynamic)
      no_double(loop, "PL7003", "has a size that is not known", name);
    if (!tile->decl->in_main || !tile->decl->name_range.end ||
        tile->decl->owner != loop->func || !tile->decl->node)
      no_double(loop, "PL3009", "is declared out of reach", name);
    if (tile->partial)
      no_double(loop, "PL3004", "keeps old cells where a guard skips the store",
                name);
    if (tile->fixed)
      no_double(loop, "PL3009", "is named where it cannot be rebound", name);
    if (needs_padding(tile) && declarators_beside(tile->decl) > 1)
      no_double(loop, "PL5004", "shares its declaration and needs padding",
                name);
  }
}

static bool reads_only_global(const pl_loop *loop, const pl_node *node) {
  for (size_t i = 0; i < loop->nstmts; i++)
    for (size_t j = 0; j < loop->stmts[i].effects.n; j++) {
      const pl_effect *effect = &loop->stmts[i].effects.items[j];
      if (effect->node == node && effect->kind == PL_EFFECT_READ &&
          effect->space != PL_SPACE_GLOBAL && effect->space != PL_SPACE_LOCAL)
        return false;
    }
  return true;
}

/* What the copies of a load helper, and of those that it calls, say about
 * asynchronous ones. */
static void find_async_in_helper(pl_loop *loop, const pl_loop *body,
                                 bool *any) {
  for (size_t k = 0; k < body->fill.ncopies; k++) {
    const pl_copy *copy = &body->fill.copies[k];
    *any = *any || copy->load;
    if (copy->async_id && !loop->async_id) {
      loop->async_id = copy->async_id;
      loop->async_why =
          pl_arena_printf(loop->arena, "in '%.*s': %s",
                          PL_FMT(body->func->name), copy->async_why);
    }
  }
  for (size_t i = 0; i < body->fill.ncalls; i++)
    find_async_in_helper(loop, body->fill.calls[i].body, any);
}

static void find_async_in_helpers(pl_loop *loop, bool *any) {
  for (size_t i = 0; i < loop->fill.ncalls; i++) {
    find_async_in_helper(loop, loop->fill.calls[i].body, any);
    for (size_t t = 0; t < loop->ntiles && !loop->async_id; t++) {
      if (!loop->tiles[t].stored_twice)
        continue;
      loop->async_id = "PL5002";
      loop->async_why =
          pl_arena_printf(loop->arena, "tile '%.*s': a cell may be stored twice",
                          PL_FMT(loop->tiles[t].decl->name));
    }
    if (!loop->async_id &&
        !reads_only_global(loop, loop->fill.calls[i].node)) {
      loop->async_id = "PL5002";
      loop->async_why = PL_STR("its source may not be global memory");
    }
  }
}

/* Whether an expression names a recurrence inside a macro's body, where it
 * cannot be given another name. */
static bool names_by_macro(const pl_loop *loop, const pl_node *node) {
  if (!node)
    return false;
  if (node->kind == PL_NODE_REF && node->decl &&
      pl_loop_recurrence(loop, node->decl) &&
      !pl_str_eq(pl_unit_slice(loop->unit, node->range), node->decl->name))
    return true;
  for (uint32_t i = 0; i < node->nkids; i++)
    if (names_by_macro(loop, node->kids[i]))
      return true;
  return false;
}

static void find_async(pl_loop *loop) {
  bool any = false;
  if (!pl_loop_arch(loop)->has_async) {
    loop->async_id = "PL5003";
    loop->async_why = PL_STR("the architecture has no asynchronous copies");
    return;
  }
  for (size_t i = 0; i < loop->fill.ncopies; i++) {
    const pl_copy *copy = &loop->fill.copies[i];
    any = any || copy->load;
    if (copy->async_id && !loop->async_id) {
      loop->async_id = copy->async_id;
      loop->async_why =
          pl_arena_printf(loop->arena, "tile '%.*s': %s",
                          PL_FMT(copy->tile->decl->name), copy->async_why);
    }
    if (!copy->load && !copy->async_id &&
        copy->staging != PL_STAGE_NOTHING && !loop->async_id) {
      loop->async_id = "PL5002";
      loop->async_why =
          pl_arena_printf(loop->arena, "tile '%.*s': its value is computed on "
                                       "the way",
                          PL_FMT(copy->tile->decl->name));
    }
    if (copy->tile->stored_twice && !loop->async_id) {
      loop->async_id = "PL5002";
      loop->async_why =
          pl_arena_printf(loop->arena, "tile '%.*s': a cell is stored twice",
                          PL_FMT(copy->tile->decl->name));
    }
  }
  find_async_in_helpers(loop, &any);
  if (!loop->async_id && names_by_macro(loop, loop->cond)) {
    loop->async_id = "PL1003";
    loop->async_why = PL_STR("a macro's body holds the loop's condition");
  }
  if (!any && !loop->async_id) {
    loop->async_id = "PL5002";
    loop->async_why = PL_STR("no store is a plain copy from global memory");
  }
}

static int narrowest_copy(const pl_loop *loop) {
  int64_t width = 16;
  for (size_t i = 0; i < loop->fill.ncopies; i++) {
    const pl_copy *copy = &loop->fill.copies[i];
    if (copy->load && copy->bytes < width)
      width = copy->bytes;
  }
  for (size_t i = 0; i < loop->fill.ncalls; i++) {
    int inner = narrowest_copy(loop->fill.calls[i].body);
    width = inner < width ? inner : width;
  }
  return (int)width;
}

/* ---- choosing ------------------------------------------------------------------ */

static int wanted_stages(const pl_loop *loop, pl_variant variant) {
  if (variant == PL_VARIANT_LDG_SINGLE)
    return 1;
  if (variant == PL_VARIANT_LDG)
    return 2;
  return loop->options->stages ? loop->options->stages : 3;
}

/* Whether `stages` fit; sets a reason. A step down to one block a
 * multiprocessor is a cliff that pipelining does not make up for. */
static bool stages_fit(pl_loop *loop, int stages, bool strict,
                       const char **id, pl_str *why) {
  int64_t after = bytes_with(loop, stages), limit = smem_limit(loop);
  if (after > limit && after > loop->smem_before) {
    *id = "PL7001";
    int64_t stage = stage_bytes(loop), room = limit - loop->smem_before;
    int largest = room > 0 ? (int)(room / stage) + 1 : 1;
    *why = pl_arena_printf(loop->arena,
                           "%d stages need %lld bytes of shared memory, the "
                           "limit is %lld (largest number of stages: %d)",
                           stages, (long long)after, (long long)limit, largest);
    return false;
  }
  int before = blocks_for(loop, loop->smem_before);
  int now = blocks_for(loop, after);
  if (strict && before > 1 && now == 1) {
    *id = "PL7002";
    *why = pl_arena_printf(loop->arena,
                           "%d stages leave one block a multiprocessor instead "
                           "of %d",
                           stages, before);
    return false;
  }
  return true;
}

static void adopt(pl_loop *loop, pl_variant variant, int stages) {
  loop->variant = variant;
  loop->stages = stages;
  loop->smem_after = bytes_with(loop, stages);
  loop->blocks_before = blocks_for(loop, loop->smem_before);
  loop->blocks_after = blocks_for(loop, loop->smem_after);
}

/* A variable of the loop body's own level that the load side sets from a
 * tile's address: the fetch of `ldg` has no stage yet that it could point to. */
static const pl_decl *points_ahead(const pl_loop *loop) {
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (!stmt->in_load || stmt->fills || stmt->names_tile || stmt->restarts ||
        stmt->is_shared_decl)
      continue;
    if (stmt->node->kind == PL_NODE_ASSIGN &&
        pl_points_into_tile(loop, stmt->node)) {
      const pl_node *target = pl_node_bare(stmt->node->kids[0]);
      return target->decl ? target->decl : loop->tiles[0].decl;
    }
    for (uint32_t k = 0; stmt->node->kind == PL_NODE_DECL_STMT &&
                         k < stmt->node->nkids; k++)
      if (stmt->node->kids[k]->decl &&
          pl_points_into_tile(loop, stmt->node->kids[k]))
        return stmt->node->kids[k]->decl;
  }
  return NULL;
}

/* Why a variant does not apply, NULL: it does. */
static const char *obstacle(pl_loop *loop, pl_variant variant, pl_str *why) {
  if (variant == PL_VARIANT_CP_ASYNC && loop->async_id) {
    *why = loop->async_why;
    return loop->async_id;
  }
  if (variant != PL_VARIANT_LDG_SINGLE && loop->double_id) {
    *why = loop->double_why;
    return loop->double_id;
  }
  if (variant != PL_VARIANT_CP_ASYNC && loop->ldg_id) {
    *why = loop->ldg_why;
    return loop->ldg_id;
  }
  const pl_decl *ahead = points_ahead(loop);
  if (variant == PL_VARIANT_LDG && ahead) {
    *why = pl_arena_printf(loop->arena,
                           "'%.*s' points into a tile and is declared before "
                           "the statement that stores through it",
                           PL_FMT(ahead->name));
    return "PL3009";
  }
  if (variant != PL_VARIANT_CP_ASYNC &&
      loop->staging_bytes > MOST_STAGING_BYTES) {
    *why = pl_arena_printf(loop->arena,
                           "staging would hold %lld bytes of registers a "
                           "thread",
                           (long long)loop->staging_bytes);
    return "PL6002";
  }
  return NULL;
}

static void choose_forced(pl_loop *loop, pl_variant variant) {
  pl_str why = {0};
  const char *id = obstacle(loop, variant, &why);
  int stages = wanted_stages(loop, variant);
  if (!id)
    stages_fit(loop, stages, false, &id, &why);
  if (id) {
    pl_refuse(loop, true, id, NULL, "%s does not apply: %.*s",
              pl_variant_name(variant), PL_FMT(why));
    return;
  }
  adopt(loop, variant, stages);
}

/* The most stages up to `most` that fit. Unless the kernel streams, they may
 * not cost half of the blocks: those hide latency too. */
static bool try_async(pl_loop *loop, int most, bool streams) {
  pl_str why = {0};
  const char *id = NULL;
  if (obstacle(loop, PL_VARIANT_CP_ASYNC, &why))
    return false;
  if (loop->options->stages)
    most = loop->options->stages;
  for (int stages = most; stages >= 2; stages--) {
    id = NULL;
    if (!stages_fit(loop, stages, true, &id, &why))
      continue;
    int before = blocks_for(loop, loop->smem_before);
    int now = blocks_for(loop, bytes_with(loop, stages));
    if (stages > 2 && !loop->options->stages && !streams && before > 0 &&
        now * 2 < before)
      continue;
    adopt(loop, PL_VARIANT_CP_ASYNC, stages);
    return true;
  }
  return false;
}

static bool try_staging(pl_loop *loop, pl_variant variant) {
  pl_str why = {0};
  const char *id = NULL;
  int stages = variant == PL_VARIANT_LDG ? 2 : 1;
  if (obstacle(loop, variant, &why) || loop->staging_bytes > AUTO_STAGING_BYTES)
    return false;
  if (!stages_fit(loop, stages, true, &id, &why))
    return false;
  adopt(loop, variant, stages);
  return true;
}

static void explain(pl_loop *loop, const char *fmt, int width) {
  loop->why = pl_arena_printf(loop->arena, fmt, width);
}

static void refuse_all(pl_loop *loop) {
  pl_str why = {0};
  const char *id = obstacle(loop, PL_VARIANT_LDG_SINGLE, &why);
  if (!id && loop->staging_bytes > AUTO_STAGING_BYTES) {
    id = "PL6002";
    why = pl_arena_printf(loop->arena,
                          "staging would hold %lld bytes of registers a "
                          "thread",
                          (long long)loop->staging_bytes);
  }
  if (!id)
    id = obstacle(loop, PL_VARIANT_CP_ASYNC, &why);
  pl_refuse(loop, false, id ? id : "PL7001", NULL, "no variant applies: %.*s",
            PL_FMT(why));
}

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
static bool is_persistent(const pl_loop *loop) {
  grid_search search = {loop->node, false};
  for (pl_node *up = loop->node->parent; up && !search.found; up = up->parent)
    if (up->kind == PL_NODE_FOR || up->kind == PL_NODE_WHILE)
      pl_node_walk(up, find_grid_step, &search);
  return search.found;
}

/* How often one thread evaluates `node` in a statement of a tile's compute; -1:
 * a loop does not count out. */
static int64_t evaluations(pl_loop *loop, const pl_stmt *stmt,
                           const pl_node *node) {
  int64_t times = 1;
  for (const pl_node *up = node; up; up = up == stmt->node ? NULL : up->parent) {
    if (up->kind != PL_NODE_FOR && up->kind != PL_NODE_WHILE)
      continue;
    int64_t trips = pl_trip_count(loop, (pl_node *)up);
    if (trips < 0)
      return -1;
    times *= trips;
  }
  return times;
}

/* Compute that loads far more from global memory than the tile holds waits for
 * those loads; staged registers and barriers only come on top. */
static bool computes_on_global(pl_loop *loop) {
  int64_t reads = 0, stores = 0;
  for (size_t i = 0; i < loop->fill.ncopies; i++)
    stores += loop->fill.copies[i].slots > 0 ? loop->fill.copies[i].slots : 1;
  for (size_t i = 0; i < loop->nstmts; i++) {
    const pl_stmt *stmt = &loop->stmts[i];
    if (!stmt->in_compute || stmt->in_load)
      continue;
    for (size_t j = 0; j < stmt->effects.n; j++) {
      const pl_effect *effect = &stmt->effects.items[j];
      if (effect->kind != PL_EFFECT_READ || effect->space != PL_SPACE_GLOBAL ||
          effect->by_call)
        continue;
      int64_t times = evaluations(loop, stmt, effect->node);
      reads += times > 0 ? times : 0;
    }
  }
  return stores > 0 && reads >= STREAM_READS * stores;
}

/* The figures behind these rules: docs/gpu-results.md. */
static bool choose_deep(pl_loop *loop) {
  if (loop->ratio > 0 && loop->ratio <= STREAM_RATIO &&
      try_async(loop, DEEPEST, true)) {
    loop->why = PL_STR("no value is used twice: only more tiles in flight help");
    return true;
  }
  if (is_persistent(loop) && try_async(loop, 4, false)) {
    loop->why = PL_STR("a persistent kernel has few other blocks to run while "
                       "it waits");
    return true;
  }
  return false;
}

static void choose_auto(pl_loop *loop) {
  pl_str why = {0};
  int width = narrowest_copy(loop);
  bool async = !obstacle(loop, PL_VARIANT_CP_ASYNC, &why);
  if (async && choose_deep(loop))
    return;
  if (async && (width >= 16 || loop->options->stages) && try_async(loop, 3, false)) {
    explain(loop, "every copy is %d bytes wide, so asynchronous copies pay",
            width);
    return;
  }
  if (computes_on_global(loop)) {
    pl_loop_settle(loop, PL_VERDICT_KEPT, true, "PL8001", NULL,
                   "the compute phase waits for loads of its own from global "
                   "memory");
    pl_loop_note(loop, NULL, "--variant=ldg rewrites it all the same");
    return;
  }
  if (try_staging(loop, PL_VARIANT_LDG)) {
    if (async)
      explain(loop, "asynchronous copies of %d bytes cost more than registers",
              width);
    else
      loop->why = pl_arena_printf(loop->arena, "not cp.async: %.*s",
                                  PL_FMT(why));
    return;
  }
  if (async && width >= 8 && try_async(loop, 3, false)) {
    explain(loop, "register staging does not apply; copies are %d bytes wide",
            width);
    return;
  }
  if (try_staging(loop, PL_VARIANT_LDG_SINGLE)) {
    pl_str two = {0};
    const char *id = NULL;
    if (!obstacle(loop, PL_VARIANT_LDG, &two))
      stages_fit(loop, 2, true, &id, &two);
    loop->why = pl_arena_printf(loop->arena, "one buffer: %.*s", PL_FMT(two));
    return;
  }
  if (async) {
    const char *id = NULL;
    if (!stages_fit(loop, 2, true, &id, &why)) {
      pl_refuse(loop, true, id, NULL, "%.*s", PL_FMT(why));
      return;
    }
    pl_loop_settle(loop, PL_VERDICT_KEPT, true, "PL8001", NULL,
                   "only asynchronous copies of %d bytes would apply, and "
                   "they do not pay",
                   width);
    pl_loop_note(loop, NULL, "--variant=cp.async writes them all the same");
    return;
  }
  refuse_all(loop);
}

/* ---- tiles that loops share ----------------------------------------------------- */

typedef struct share_walk {
  pl_loops *loops;
  pl_loop *loop;
  pl_tile *tile;
  pl_node *lone; /* a use that no other tile loop with stages covers */
} share_walk;

static bool is_staged(const pl_loop *loop) {
  return !loop->settled && loop->variant != PL_VARIANT_LDG_SINGLE &&
         loop->variant != PL_VARIANT_AUTO;
}

static bool find_lone_use(pl_node *node, void *context) {
  share_walk *w = context;
  if (node == w->loop->node)
    return false;
  for (size_t i = 0; i < w->loop->nderived; i++)
    if (node == w->loop->derived[i])
      return false;
  for (size_t i = 0; i < w->loops->n; i++) {
    pl_loop *other = w->loops->items[i];
    if (other->node == node && is_staged(other) &&
        pl_loop_tile(other, w->tile->decl))
      return false;
  }
  if (node->kind == PL_NODE_REF && node->decl == w->tile->decl && !w->lone &&
      !pl_names_type(w->loop->unit, node))
    w->lone = node;
  return true;
}

/* A tile that is named outside its loop can have stages only where the other
 * uses are loops that fill it anew and get stages too. */
static bool check_shared_use(pl_loops *loops, pl_loop *loop) {
  for (size_t t = 0; t < loop->ntiles; t++) {
    pl_tile *tile = &loop->tiles[t];
    if (!tile->used_outside)
      continue;
    share_walk w = {loops, loop, tile, NULL};
    pl_node_walk(loop->func->body, find_lone_use, &w);
    if (!w.lone)
      continue;
    bool before = w.lone->range.begin < loop->node->range.begin;
    const pl_node *up = w.lone;
    while (up && up->kind != PL_NODE_VAR && up->kind != PL_NODE_COMPOUND)
      up = up->parent;
    if (before && up && up->kind == PL_NODE_VAR && up->decl &&
        pl_mentions(loop->body, up->decl)) {
      no_double(loop, "PL3009", "has a pointer made before the loop",
                tile->decl->name);
      return false;
    }
    no_double(loop, tile->prefilled && before ? "PL3005" : "PL3006",
              tile->prefilled && before ? "is filled before the loop"
                                        : "is used outside the loop",
              tile->decl->name);
    return false;
  }
  return true;
}

static bool find_choice(pl_loop *loop, pl_choice *choice) {
  const pl_options *options = loop->options;
  if (!options->measured_choice || options->variant != PL_VARIANT_AUTO ||
      options->stages)
    return false;
  pl_arena *arena = loop->arena;
  const pl_func *func = loop->func;
  pl_str name = func->qualified.n ? func->qualified : func->name;
  return options->measured_choice(
      pl_arena_cstr(arena, name),
      pl_fingerprint(arena, loop->unit, func, options),
      options->measured_context, choice);
}

/* The measured variant, as if the command line had asked for it: where it does
 * not apply to this loop, the kernel that was measured left the loop too. */
static void adopt_measured(pl_loop *loop, const pl_choice *choice) {
  pl_options *options = PL_NEW(loop->arena, pl_options);
  *options = *loop->options;
  options->variant = choice->variant;
  options->stages = choice->stages;
  loop->options = options;
  if (choice->variant == PL_VARIANT_AUTO)
    choose_auto(loop);
  else
    choose_forced(loop, choice->variant);
}

static void choose_measured(pl_loop *loop, const pl_choice *choice) {
  if (choice->stale) {
    loop->measured = pl_arena_printf(
        loop->arena, "; the kernel has changed since it was measured on %s",
        choice->measured).p;
    choose_auto(loop);
    return;
  }
  loop->measured = pl_arena_printf(loop->arena, ", as measured on %s",
                                   choice->measured).p;
  if (choice->keep)
    pl_loop_settle(loop, PL_VERDICT_KEPT, true, "PL8001", NULL,
                   "no variant was faster, as measured on %s",
                   choice->measured);
  else
    adopt_measured(loop, choice);
}

/* One side alone of what at least one variant pipelines; the tiles stay as
 * they are. */
static void choose_side(pl_loop *loop) {
  static const pl_variant variants[] = {PL_VARIANT_LDG_SINGLE, PL_VARIANT_LDG,
                                        PL_VARIANT_CP_ASYNC};
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
    pl_str why = {0};
    const char *id = obstacle(loop, variants[i], &why);
    int stages = variants[i] == PL_VARIANT_LDG_SINGLE ? 1 : 2;
    if (id || !stages_fit(loop, stages, false, &id, &why))
      continue;
    adopt(loop, PL_VARIANT_LDG_SINGLE, 1);
    return;
  }
  refuse_all(loop);
}

static void choose(pl_loop *loop) {
  pl_choice choice = {0};
  if (loop->options->only != PL_SIDE_BOTH)
    choose_side(loop);
  else if (find_choice(loop, &choice))
    choose_measured(loop, &choice);
  else if (loop->options->variant == PL_VARIANT_AUTO)
    choose_auto(loop);
  else
    choose_forced(loop, loop->options->variant);
}

/* ---- the compute/load ratio ---------------------------------------------------- */

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
static void measure_ratio(pl_loop *loop) {
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

static void prepare(pl_loop *loop) {
  measure_shared(loop);
  loop->smem_limit = smem_limit(loop);
  find_double(loop);
  find_async(loop);
  measure_ratio(loop);
}

/* A loop around a tile loop that is none itself is no refusal worth a
 * warning: the tile loop inside says what became of it. */
static void demote_outer(pl_loops *loops) {
  for (size_t i = 0; i < loops->n; i++) {
    pl_loop *outer = loops->items[i]->outer;
    if (!outer || outer->verdict != PL_VERDICT_REFUSED ||
        loops->items[i]->settled)
      continue;
    outer->verdict = PL_VERDICT_NOT_A_TILE_LOOP;
    outer->id = "PL2101";
    outer->message = PL_STR("the loop repeats the tile loop inside it");
    outer->at = outer->node->range;
    outer->nnotes = 0;
  }
}

/* Of two tile loops one in the other, the inner one runs more often. */
static void prefer_inner(pl_loops *loops) {
  for (size_t i = 0; i < loops->n; i++)
    for (pl_loop *outer = loops->items[i]->outer;
         !loops->items[i]->settled && outer; outer = outer->outer)
      pl_loop_settle(outer, PL_VERDICT_KEPT, true, "PL8001", NULL,
                     "the tile loop inside it is pipelined instead");
}

void pl_plan(pl_loops *loops) {
  for (size_t i = 0; i < loops->n; i++) {
    if (loops->items[i]->settled)
      continue;
    prepare(loops->items[i]);
    choose(loops->items[i]);
  }
  prefer_inner(loops);
  bool changed = true;
  while (changed) {
    changed = false;
    for (size_t i = 0; i < loops->n; i++) {
      pl_loop *loop = loops->items[i];
      if (!is_staged(loop) || check_shared_use(loops, loop))
        continue;
      loop->variant = PL_VARIANT_AUTO;
      choose(loop);
      changed = true;
    }
  }
  demote_outer(loops);
}
