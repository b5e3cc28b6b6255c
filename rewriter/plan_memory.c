/* plan_memory.c - how much shared memory, and what does it allow?
 *
 * Needs: the tiles, the launches, the architecture. Gives: a block's bytes
 * before and with a number of stages, the blocks of a multiprocessor, and
 * whether stages fit. Raises (by plan_choose.c): PL7001, PL7002. */
#include "plan.h"

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
void pl_measure_shared(pl_loop *loop) {
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

/* ---- stages -------------------------------------------------------------- */

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

int64_t pl_bytes_with(const pl_loop *loop, int stages) {
  int64_t stage = stage_bytes(loop);
  if (loop->smem_before < 0 || stage < 0)
    return -1;
  return loop->smem_before + (stages - 1) * stage;
}

/* Blocks of a multiprocessor as shared memory and threads allow; registers are
 * not known before compilation. */
int pl_blocks_for(const pl_loop *loop, int64_t smem) {
  if (smem < 0)
    return -1;
  return pl_arch_blocks(pl_loop_arch(loop), loop->threads, 0, smem);
}

int64_t pl_smem_limit(const pl_loop *loop) {
  int64_t limit = pl_loop_arch(loop)->smem_block_static;
  if (loop->options->max_smem > 0)
    limit = loop->options->max_smem;
  return limit;
}

/* Whether `stages` fit; sets a reason. A step down to one block a
 * multiprocessor is a cliff that pipelining does not make up for. */
bool pl_stages_fit(pl_loop *loop, int stages, bool strict, const char **id,
                   pl_str *why) {
  int64_t after = pl_bytes_with(loop, stages), limit = pl_smem_limit(loop);
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
  int before = pl_blocks_for(loop, loop->smem_before);
  int now = pl_blocks_for(loop, after);
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
