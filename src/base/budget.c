/* budget.c - see budget.h. */
#include "budget.h"

size_t pl_budget_archs(const pl_arch *archs[PL_BUDGET_ARCHS]) {
  size_t count = 0;
  for (int sm = 10; sm < 1000 && count < PL_BUDGET_ARCHS; sm++) {
    const pl_arch *arch = pl_arch_find(sm);
    if (arch && arch->sm == sm)
      archs[count++] = arch;
  }
  return count;
}

/* Bytes that one more stage adds; -1: not known. */
static int64_t stage_bytes(const pl_loop_report *loop) {
  bool known = loop->stages > 1 && loop->smem_before >= 0 &&
               loop->smem_after > loop->smem_before;
  if (!known)
    return -1;
  return (loop->smem_after - loop->smem_before) / (loop->stages - 1);
}

size_t pl_budget_stages(const pl_loop_report *loop,
                        int stages[PL_BUDGET_STAGES]) {
  if (loop->smem_before < 0)
    return 0;
  stages[0] = 1;
  if (stage_bytes(loop) < 0)
    return 1;
  stages[1] = 2;
  stages[2] = loop->stages > 2 ? loop->stages : 3;
  return 3;
}

int64_t pl_budget_bytes(const pl_loop_report *loop, int stages) {
  if (stages == 1)
    return loop->smem_before;
  return loop->smem_before + stage_bytes(loop) * (stages - 1);
}

static int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }

int pl_budget_blocks(const pl_arch *arch, int64_t bytes, int64_t threads) {
  int64_t blocks = arch->blocks_sm;
  int64_t block_bytes = bytes + arch->smem_reserved;
  if (block_bytes > 0)
    blocks = smaller(blocks, arch->smem_sm / block_bytes);
  if (threads > 0)
    blocks = smaller(blocks, arch->threads_sm / threads);
  return (int)blocks;
}

const char *pl_ratio_advice(double ratio) {
  if (ratio < 5)
    return "below 5, asynchronous copies tend to win";
  if (ratio <= 20)
    return "between 5 and 20, only measuring tells";
  return "above 20, pipelining tends not to pay";
}
