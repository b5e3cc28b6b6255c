/* run_blocks.h - findings are kept; and what is asked of global memory beyond one
 * block: was it written at all, who wrote it last, does another block use it?
 *
 * Blocks run one after the other, so that what two of them do with one byte has an
 * order here that it has on no GPU, unless atomics or fences make one: where a kernel
 * has any, nothing is said of its blocks. */
#ifndef PL_RUN_BLOCKS_H
#define PL_RUN_BLOCKS_H

#include "run_state.h"

static u32 code_of(uintptr_t pc) { return (u32)(pc - 1 - kernel_now->code_base); }

/* Keeps the first finding of each kind and place. */
static void report(const char *kind, u32 code, u32 other, const Region *r,
                   long offset, int thread, int other_thread) {
  for (int i = 0; i < n_findings; i++)
    if (findings[i].kind == kind && findings[i].code == code)
      return;
  if (n_findings == (int)(sizeof findings / sizeof *findings))
    return;
  findings[n_findings++] = {kind, code, other, r ? r->space : -1,
                            r ? r->index : 0, offset, thread, other_thread,
                            blockIdx, 0, 0, {}};
}

static void note_writer(uintptr_t a, size_t n, u32 code) {
  if (a >= watched.to || a + n <= watched.from)
    return;
  watched.found = true;
  watched.block = blockIdx;
  watched.thread = self->id;
  watched.code = code;
}

/* A buffer that begins unwritten. */
static void check_written(const Region *r, size_t off, u32 n, u32 code,
                          bool write) {
  bool all = true;
  for (u32 i = 0; i < n && !write; i++)
    all = all && r->written[off + i];
  if (!all)
    report("unwritten", code, 0, r, (long)off, self->id, -1);
  memset(r->written + off, 1, n);
}

/* ---- other blocks ---------------------------------------------------------- */

/* A write to what another block has used does no harm where it changes nothing: known
 * only after it, as with `twin`. */
static struct {
  char *p;
  u32 n;
  char old[16];
  const char *kind;
  u32 code, other;
  const Region *region;
  long offset;
  int thread;
} crossing;

static void settle_crossing() {
  if (memcmp(crossing.p, crossing.old, crossing.n) != 0)
    report(crossing.kind, crossing.code, crossing.other, crossing.region,
           crossing.offset, crossing.thread, -1);
  crossing.n = 0;
}

static bool is_of_other(u32 block) {
  return block >= first_block && block != block_now;
}

static void note_crossing(const Region *r, size_t off, u32 n, const char *kind,
                          u32 code, u32 other) {
  if (crossing.n || n > sizeof crossing.old)
    return;
  crossing.p = (char *)r->base + off;
  crossing.n = n;
  memcpy(crossing.old, crossing.p, n);
  crossing.kind = kind;
  crossing.code = code;
  crossing.other = other;
  crossing.region = r;
  crossing.offset = (long)off;
  crossing.thread = self->id;
}

static void block_writes(const Region *r, size_t off, u32 n, u32 code) {
  for (size_t i = off; i < off + n; i++) {
    ByteUse *use = &r->uses[i];
    if (!blocks_ordered && is_of_other(use->writer))
      note_crossing(r, off, n, "blocks-write", code, use->code);
    else if (!blocks_ordered && is_of_other(use->reader))
      note_crossing(r, off, n, "block-read", code, 0);
    use->writer = block_now;
    use->code = code;
  }
}

/* The first reader is enough: blocks run in their order. */
static void block_reads(const Region *r, size_t off, u32 n, u32 code) {
  for (size_t i = off; i < off + n; i++) {
    ByteUse *use = &r->uses[i];
    if (!blocks_ordered && is_of_other(use->writer))
      report("blocks-read", code, use->code, r, (long)off, self->id, -1);
    if (use->reader < first_block)
      use->reader = block_now;
  }
}

#endif
