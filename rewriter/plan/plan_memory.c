/* plan_memory.c - how much shared memory, and what does it allow?
 *
 * Needs: the tiles, the launches, the architecture. Gives: a block's bytes
 * before and with a number of stages, the blocks of a multiprocessor, and
 * whether stages fit. Raises (by plan_choose.c): PL7001, PL7002. */
#include "forms.h"
#include "open_values.h"
#include "plan.h"

/* Static and dynamic bytes of a block, the most over the instantiations. */
void pl_measure_shared(pl_loop *loop) {
  int64_t most = -1;
  bool unknown = false, dynamic = false;
  for (uint32_t i = 0; i < pl_count_readings(loop->func); i++) {
    pl_shared_sum sum = pl_sum_shared(loop, loop->func, pl_reading(loop->func, i));
    unknown = unknown || sum.unknown;
    dynamic = dynamic || pl_has_dynamic(loop, loop->func, &sum);
    most = sum.bytes > most ? sum.bytes : most;
  }
  if (dynamic && pl_dynamic_bytes(loop, loop->func) >= 0)
    most += pl_dynamic_bytes(loop, loop->func);
  else if (dynamic)
    unknown = true;
  for (size_t t = 0; t < loop->ntiles; t++)
    unknown = unknown || loop->tiles[t].decl->kind == PL_DECL_PARAM;
  loop->smem_before = unknown ? -1 : most;
  for (size_t t = 0; t < loop->ntiles; t++) {
    pl_tile *tile = &loop->tiles[t];
    tile->bytes = -1;
    for (uint32_t i = 0; i < pl_count_readings(loop->func) && !tile->dynamic; i++) {
      int64_t size = pl_object_bytes(loop, tile->decl, loop->func,
                                     pl_reading(loop->func, i));
      tile->bytes = size > tile->bytes ? size : tile->bytes;
    }
    if (tile->dynamic && loop->dynamic)
      tile->bytes = loop->dynamic->stride;
  }
}

/* ---- stages -------------------------------------------------------------- */

/* What one more stage of every tile adds, -1: unknown. */
static int64_t stage_bytes(const pl_loop *loop) {
  int64_t bytes = 0;
  for (size_t t = 0; t < loop->ntiles; t++) {
    if (loop->tiles[t].bytes < 0)
      return -1;
    bytes += pl_stage_bytes(&loop->tiles[t]);
  }
  return bytes;
}

int64_t pl_bytes_with(const pl_loop *loop, int stages) {
  int64_t stage = stage_bytes(loop);
  if (loop->smem_before < 0 || stage < 0)
    return -1;
  const pl_dynamic_memory *dynamic = loop->dynamic;
  int64_t rounded = dynamic && stages > 1
                        ? pl_dynamic_with(dynamic, stages) -
                              (stages - 1) * dynamic->stride - dynamic->bytes
                        : 0;
  return loop->smem_before + (stages - 1) * stage + rounded +
         (stages > 1 ? pl_state_bytes(loop, loop->variant, stages) : 0);
}

/* Blocks of a multiprocessor as shared memory and threads allow; registers are
 * not known before compilation. */
int pl_blocks_for(const pl_loop *loop, int64_t smem) {
  if (smem < 0)
    return -1;
  return pl_arch_blocks(pl_loop_arch(loop), loop->threads, 0, smem);
}

int64_t pl_smem_limit(const pl_loop *loop) {
  const pl_arch *arch = pl_loop_arch(loop);
  int64_t limit = loop->dynamic && loop->dynamic->may_allow
                      ? arch->smem_block_optin
                      : arch->smem_block_static;
  if (loop->options->max_smem > 0)
    limit = loop->options->max_smem;
  return limit;
}

/* What is kept free for an instantiation or a build that is not in sight: where the
 * size of tiles, or of what stands beside them, is open, as much again as they take
 * with their stages, so that one of twice the size still assembles. */
static int64_t kept_free(const pl_loop *loop, int stages) {
  int64_t bytes = 0;
  for (uint32_t i = 0; i < pl_count_readings(loop->func); i++) {
    pl_shared_sum sum = pl_sum_shared(loop, loop->func, pl_reading(loop->func, i));
    bytes = sum.open > bytes ? sum.open : bytes;
  }
  if (loop->dynamic && loop->dynamic->open)
    bytes += stages * loop->dynamic->stride;
  for (size_t t = 0; t < loop->ntiles; t++)
    if (loop->tiles[t].bytes > 0 && !loop->tiles[t].dynamic &&
        pl_has_open_size(loop, loop->tiles[t].decl))
      bytes += stages * pl_stage_bytes(&loop->tiles[t]);
  return bytes;
}

/* Whether `stages` fit; sets a reason. A step down to one block a
 * multiprocessor is a cliff that pipelining does not make up for. */
bool pl_stages_fit(pl_loop *loop, int stages, bool strict, const char **id,
                   pl_str *why) {
  int64_t after = pl_bytes_with(loop, stages), limit = pl_smem_limit(loop);
  bool open = false;
  int64_t total = pl_total_bytes(loop, stages, &open);
  if (open && stages > 1) {
    *id = "PL7001";
    *why = PL_STR("how much dynamic shared memory stands beside the tiles is said "
                  "by no launch in sight");
    return false;
  }
  if (strict && stages > 1 && loop->dynamic && loop->dynamic->unknown) {
    *id = "PL7002";
    *why = PL_STR("how many blocks the stages leave a multiprocessor is not known, as "
                  "the run decides how much dynamic shared memory there is");
    return false;
  }
  if (stages > 1 && !loop->func->is_global && pl_unit_is_header(loop->unit) &&
      loop->options->max_smem <= 0) {
    *id = "PL7001";
    *why = PL_STR("kernels of other files may call a header's function, and how much shared "
                  "memory they have is not in sight (--max-smem says how much a block may "
                  "take)");
    return false;
  }
  after = total > after ? total : after;
  int64_t fixed = stages > 1 && loop->dynamic ? pl_static_bytes(loop, stages) : 0;
  int64_t most = pl_loop_arch(loop)->smem_block_static;
  if (fixed > most) {
    *id = "PL7001";
    *why = pl_arena_printf(loop->arena,
                           "%d stages need %lld bytes of static shared memory, the "
                           "limit is %lld",
                           stages, (long long)fixed, (long long)most);
    return false;
  }
  if (after > limit && stages > 1) {
    *id = "PL7001";
    int64_t stage = stage_bytes(loop);
    int64_t room = limit - (after - (stages - 1) * stage);
    int largest = room > 0 && stage > 0 ? (int)(room / stage) + 1 : 1;
    *why = pl_arena_printf(loop->arena,
                           "%d stages need %lld bytes of shared memory, the "
                           "limit is %lld (largest number of stages: %d)",
                           stages, (long long)after, (long long)limit, largest);
    return false;
  }
  bool given = loop->options->max_smem > 0;
  int64_t kept = stages > 1 && !given ? kept_free(loop, stages) : 0;
  if (kept && after + kept > limit) {
    *id = "PL7001";
    *why = pl_arena_printf(
        loop->arena,
        "%d stages need %lld bytes of shared memory here; with tiles of twice the "
        "size, which another instantiation or build may have, they would not fit "
        "(--max-smem says that none has)",
        stages, (long long)after);
    return false;
  }
  int64_t once = pl_total_bytes(loop, 1, &open);
  once = loop->smem_before > once ? loop->smem_before : once;
  int before = loop->smem_before < 0 ? -1 : pl_blocks_for(loop, once);
  int now = pl_blocks_for(loop, after);
  if (loop->grid_waits && stages > 1 && (before < 0 || now < before)) {
    *id = "PL7002";
    *why = before < 0 ? PL_STR("all blocks of the grid may have to run at once, and "
                               "how many fit beside each other is not known")
                      : pl_arena_printf(loop->arena,
                                        "all blocks of the grid may have to run at "
                                        "once, and %d stages leave %d of %d a "
                                        "multiprocessor",
                                        stages, now, before);
    return false;
  }
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
