/* occupancy.c - what the architectures allow, and how many blocks fit.
 *
 * No pass of its own: plan_memory.c asks before compilation, when registers are
 * not known. Checked against what the runtime answers on GPUs
 * (tests/unit/occupancy/). */
#include "loop.h"

enum { WARP = 32, PARTITIONS = 4, REGISTER_UNIT = 256, SMEM_UNIT = 128 };

static const pl_arch arch_table[] = {
#define X(...) {__VA_ARGS__},
#include "arch.def"
#undef X
};

const pl_arch *pl_arch_find(int sm) {
  const pl_arch *best = NULL;
  for (size_t i = 0; i < sizeof arch_table / sizeof *arch_table; i++)
    if (arch_table[i].sm <= sm)
      best = &arch_table[i];
  return best;
}

const pl_arch *pl_loop_arch(const pl_loop *loop) {
  int sm = loop->options->arch ? loop->options->arch : 80;
  const pl_arch *arch = pl_arch_find(sm);
  return arch ? arch : &arch_table[0];
}

static int64_t round_up(int64_t n, int64_t unit) {
  return (n + unit - 1) / unit * unit;
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* A warp's registers come from one of the multiprocessor's four parts, in units
 * of 256. */
static int64_t warps_by_registers(const pl_arch *arch, int registers) {
  int64_t of_warp = round_up((int64_t)registers * WARP, REGISTER_UNIT);
  return arch->registers_sm / PARTITIONS / of_warp * PARTITIONS;
}

int pl_arch_blocks(const pl_arch *arch, int64_t threads, int registers,
                   int64_t smem) {
  int64_t bytes = round_up(smem + arch->smem_reserved, SMEM_UNIT);
  int64_t blocks = arch->blocks_sm;
  if (bytes > 0)
    blocks = least(blocks, arch->smem_sm / bytes);
  if (threads <= 0)
    return (int)blocks;
  int64_t warps = round_up(threads, WARP) / WARP;
  int64_t room = arch->threads_sm / WARP;
  if (registers > 0)
    room = least(room, warps_by_registers(arch, registers));
  return (int)least(blocks, room / warps);
}
