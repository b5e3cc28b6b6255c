/* run_shadow.h - every access: is it inside, of a value that is there, and
 * alone? */
#ifndef PL_RUN_SHADOW_H
#define PL_RUN_SHADOW_H

#include "run_blocks.h"

static int thread_of(u16 who) {
  return who == MANY || who == ATOMIC || who == NOBODY ? -1
         : who & MANY_IN_WARP ? (who & 0x7fff) * 32
                              : who - 1;
}

static u32 stamp_in(u32 warp, u32 code) {
  u32 orders = warp_orders[warp];
  return code << 10 | (orders > 1023 ? 1023 : orders);
}
static u32 stamp(u32 code) { return stamp_in(self->warp, code); }

/* Is what `who` did at `at` ordered before now by the common warp's syncs? */
static inline bool warp_ordered(u16 who, u32 at) {
  if (who == MANY || who == ATOMIC)
    return false;
  int warp = who & MANY_IN_WARP ? who & 0x7fff : (who - 1) / 32;
  return warp == self->warp && (at & 1023) != (stamp(0) & 1023);
}

/* Two threads that write the same value do no harm. Whether they do is known
 * only after the second write, so that it waits here until the next event. */
static struct {
  char *p;
  u32 n;
  char old[16];
  u32 code, other;
  const Region *region;
  long offset;
  int thread, other_thread;
} twin;

static void settle_twin() {
  if (memcmp(twin.p, twin.old, twin.n) != 0)
    report("race", twin.code, twin.other, twin.region, twin.offset, twin.thread,
           twin.other_thread);
  twin.n = 0;
}

static void write_conflict(const Region *r, size_t off, u32 n, u32 code,
                           const Cell *c) {
  if (warp_ordered(c->writer, c->write_at))
    return;
  if (n > 16 || c->writer == ATOMIC) {
    report("race", code, c->write_at >> 10, r, (long)off, self->id,
           thread_of(c->writer));
    return;
  }
  if (twin.n)
    return;
  twin.p = (char *)r->base + off;
  twin.n = n;
  memcpy(twin.old, twin.p, n);
  twin.code = code;
  twin.other = c->write_at >> 10;
  twin.region = r;
  twin.offset = (long)off;
  twin.thread = self->id;
  twin.other_thread = thread_of(c->writer);
}

static void read_conflict(const Region *r, size_t off, u32 code, u16 who,
                          u32 at) {
  if (!warp_ordered(who, at))
    report("race", code, at >> 10, r, (long)off, self->id, thread_of(who));
}

/* Whether what a cell says of its writer, or its readers, happened before now. That its
 * own warp's did not is what a thread finds most often. */
static inline bool is_past(u32 clock, u32 warps) {
  if (warps >> self->warp & 1 && clock >= self->known[self->warp])
    return false;
  for (; warps; warps &= warps - 1)
    if (clock >= self->known[__builtin_ctz(warps)])
      return false;
  return true;
}
static inline bool write_is_past(const Cell *c) {
  if (c->write_clock < self->floor)
    return true;
  return c->writer == ATOMIC
             ? is_past(c->write_clock, c->atomic_warps)
             : c->writer && c->write_clock < self->known[(c->writer - 1) / 32];
}
static inline bool reads_are_past(const Cell *c) {
  return c->read_clock < self->floor || is_past(c->read_clock, c->reading_warps);
}

static inline void set_reader(Cell *c, u16 me, u32 code) {
  c->reader = me;
  c->read_clock = self->clock;
  c->reading_warps = 1u << self->warp;
  c->read_at = stamp(code);
}

static inline void forget_readers(Cell *c) {
  c->reader = NOBODY;
  c->reading_warps = 0;
}

static void cell_write(const Region *r, Cell *c, size_t off, u32 n, u32 code) {
  u16 me = (u16)(self->id + 1);
  if (c->writer && c->writer != me && !write_is_past(c))
    write_conflict(r, off, n, code, c);
  if (reads_are_past(c))
    forget_readers(c);
  else if (c->reader && c->reader != me)
    read_conflict(r, off, code, c->reader, c->read_at);
  c->writer = me;
  c->write_clock = self->clock;
  c->write_at = stamp(code);
}

/* Another reader joins: remembered alone, as many of one warp, or as many. */
static inline void merge_reader(Cell *c, u16 me, u32 code) {
  int warp = c->reader & MANY_IN_WARP ? c->reader & 0x7fff
                                      : (c->reader - 1) / 32;
  if (c->read_clock < self->clock)
    c->read_clock = self->clock;
  c->reading_warps |= 1u << self->warp;
  if (c->reader == MANY)
    return;
  if (warp != self->warp)
    c->reader = MANY;
  else if (warp_ordered(c->reader, c->read_at))
    c->reader = me;
  else
    c->reader = (u16)(MANY_IN_WARP | self->warp);
  c->read_at = stamp(code);
}

static ALWAYS_INLINE void cell_read(const Region *r, Cell *c, size_t off, u32 code) {
  u16 me = (u16)(self->id + 1);
  if (UNLIKELY(c->writer && c->writer != me && !write_is_past(c)))
    read_conflict(r, off, code, c->writer, c->write_at);
  if (c->reader == me && c->read_clock == self->clock)
    return;
  if (c->reader == NOBODY || c->reader == me || reads_are_past(c))
    set_reader(c, me, code);
  else
    merge_reader(c, me, code);
}

static void refine_part(Region *r, const Part *part, int shift) {
  int by = r->shift - shift;
  size_t last = (1 << shift) - 1;
  for (size_t i = (part->to + last) >> shift; i-- > part->from >> shift;)
    r->cells[i] = r->cells[i >> by];
}

/* Cells become finer when a smaller access comes: each is spread over its
 * parts. Never coarser again, so that this happens twice at most. */
static void refine(Region *r, size_t odd) {
  int shift = odd & 1 ? 0 : 1;
  const Part whole = {0, r->size, false};
  for (int n = r->parts ? r->n_parts : 1; n-- > 0;)
    refine_part(r, r->parts ? &r->parts[n] : &whole, shift);
  r->shift = shift;
}

/* Are all `n` bytes written, and nothing else? */
static inline bool plainly_written(const u8 *flags, u32 n) {
  u64 eight;
  u32 four;
  if (n == 4) {
    memcpy(&four, flags, 4);
    return four == 0x01010101u * WRITTEN;
  }
  for (; n >= 8; n -= 8, flags += 8) {
    memcpy(&eight, flags, 8);
    if (eight != 0x0101010101010101ull * WRITTEN)
      return false;
  }
  return n == 0;
}

/* False where that is nobody's, or another kernel's. */
static bool check_flags(Region *r, size_t off, u32 n, u32 code, bool write) {
  u8 all = WRITTEN, any = 0;
  for (u32 i = 0; i < n; i++) {
    all &= r->flags[off + i];
    any |= r->flags[off + i];
    if (write)
      r->flags[off + i] |= WRITTEN;
  }
  if (any & FOREIGN) {
    report("out-of-bounds", code, 0, r, (long)off, self->id, -1);
  } else if (any & IN_FLIGHT || (write && any & AGAIN)) {
    u32 other = 0;
    int thread = -1;
    const char *p = (const char *)r->base + off;
    for (int t = 0; t < n_threads && thread < 0; t++)
      for (u32 k = 0; k < fibers[t].n_copies; k++) {
        const Copy *c = &fibers[t].copies[k];
        if (p < c->dst + c->n && c->dst < p + n) {
          other = c->code;
          thread = t;
        }
      }
    report("in-flight", code, other, r, (long)off, self->id, thread);
  } else if (!write && !(all & WRITTEN)) {
    report("uninitialised", code, 0, r, (long)off, self->id, -1);
  }
  return !(any & FOREIGN);
}

/* A source of a copy in flight is overwritten: which copy? */
static void check_sources(const Region *r, size_t off, u32 n, u32 code) {
  const char *p = (const char *)r->base + off;
  for (int t = 0; t < n_threads; t++)
    for (u32 k = 0; k < fibers[t].n_copies; k++) {
      const Copy *c = &fibers[t].copies[k];
      if (p < c->src + c->from_source && c->src < p + n)
        report("source-changed", code, c->code, r, (long)off, self->id, t);
    }
}

static ALWAYS_INLINE void access_in(Region *r, size_t off, u32 n, bool write,
                                    u32 code) {
  if (UNLIKELY(off + n > r->size)) {
    report("out-of-bounds", code, 0, r, (long)off, self->id, -1);
    if (write && r == &static_shared)
      stop_run(); /* what lies behind is the emulator's own */
    return;
  }
  if (r->flags && UNLIKELY(!plainly_written(r->flags + off, n)) &&
      !check_flags(r, off, n, code, write))
    return;
  if (UNLIKELY(r->written != NULL))
    check_written(r, off, n, code, write);
  if (UNLIKELY(r->uses != NULL && write))
    block_writes(r, off, n, code);
  else if (UNLIKELY(r->uses != NULL))
    block_reads(r, off, n, code);
  if (UNLIKELY((off | n) & (((size_t)1 << r->shift) - 1)))
    refine(r, off | n);
  size_t step = (size_t)1 << r->shift;
  Cell *c = r->cells + (off >> r->shift);
  for (size_t end = off + n; off < end; off += step, c++) {
    if (write)
      cell_write(r, c, off, (u32)step, code);
    else
      cell_read(r, c, off, code);
  }
  if (UNLIKELY(write && r->sources_in_flight))
    check_sources(r, off - n, n, code);
}

/* An address between the buffers: report it beside the nearer one. */
static void access_gap(uintptr_t a, u32 code) {
  Region *best = n_buffers ? &buffers[0] : NULL;
  long best_gap = 0;
  for (int i = 0; i < n_buffers; i++) {
    Region *r = &buffers[i];
    long gap = a < r->base ? (long)(r->base - a)
                           : (long)(a - (r->base + r->size));
    if (i == 0 || gap < best_gap) {
      best = r;
      best_gap = gap;
    }
  }
  report("out-of-bounds", code, 0, best,
         best ? (long)(a - best->base) : (long)a, self->id, -1);
}

/* So far behind the shared memory nothing else lies that a kernel could mean. */
static const size_t BEHIND = 4096;

static ALWAYS_INLINE Region *region_of(uintptr_t a) {
  if (static_shared.size && a - static_shared.base < static_shared.size + BEHIND)
    return &static_shared;
  if (a - (uintptr_t)pl_dynamic_shared < DYNAMIC_LIMIT)
    return &dynamic_shared;
  if (a - (uintptr_t)arena < ARENA) {
    int owner = slot_owner[(a - (uintptr_t)arena) / SLOT];
    return owner ? &buffers[owner - 1] : NULL;
  }
  return NULL;
}

static void note_reached(const Region *r, uintptr_t a, size_t n) {
  if (r && r->space == SPACE_ARGUMENT && a >= r->base &&
      a - r->base + n > reached[r->index])
    reached[r->index] = a - r->base + n;
}

static ALWAYS_INLINE void touch(uintptr_t a, u32 n, bool write, uintptr_t pc) {
  if (UNLIKELY(!running))
    return;
  if (UNLIKELY(twin.n))
    settle_twin();
  if (UNLIKELY(crossing.n))
    settle_crossing();
  Region *r = region_of(a);
  if (UNLIKELY(measuring))
    note_reached(r, a, n);
  if (UNLIKELY(write && watched.from != watched.to))
    note_writer(a, n, code_of(pc));
  if (r && a >= r->base)
    access_in(r, a - r->base, n, write, code_of(pc));
  else if (a - (uintptr_t)arena < ARENA)
    access_gap(a, code_of(pc));
}

static void check_aligned(uintptr_t a, u32 n, uintptr_t pc) {
  if (UNLIKELY(a & (n - 1)) && running) {
    const Region *r = region_of(a);
    if (r)
      report("misaligned", code_of(pc), 0, r, (long)(a - r->base), self->id, -1);
  }
}

EXPORT void pl_rt_read(const void *p, size_t n) {
  touch((uintptr_t)p, (u32)n, false, CALLER);
}
/* What the kernel itself has written may not be in the read-only cache, which is undefined
 * (PTX ISA, ld.global.nc). */
EXPORT void pl_rt_read_only(const void *p, size_t n) {
  Region *r = running ? region_of((uintptr_t)p) : NULL;
  size_t off = r ? (uintptr_t)p - r->base : 0;
  if (!r || r->space != SPACE_ARGUMENT || off + n > r->size)
    return;
  for (size_t i = off >> r->shift; i <= (off + n - 1) >> r->shift; i++)
    if (r->cells[i].writer && r->cells[i].write_clock > run_began)
      report("read-only", code_of(CALLER), r->cells[i].write_at >> 10, r, (long)off,
             self->id, -1);
}
EXPORT void pl_rt_write(void *p, size_t n) {
  touch((uintptr_t)p, (u32)n, true, CALLER);
}

/* Atomics conflict with plain accesses of others, not with each other. */
static void atomic_cell(Region *r, Cell *c, size_t off, u32 code) {
  u16 me = (u16)(self->id + 1);
  if (c->writer && c->writer != me && c->writer != ATOMIC && !write_is_past(c))
    read_conflict(r, off, code, c->writer, c->write_at);
  if (reads_are_past(c))
    forget_readers(c);
  else if (c->reader && c->reader != me)
    read_conflict(r, off, code, c->reader, c->read_at);
  bool joins = c->writer == ATOMIC && !write_is_past(c);
  c->atomic_warps = (joins ? c->atomic_warps : 0) | 1u << self->warp;
  c->write_clock = joins && c->write_clock > self->clock ? c->write_clock : self->clock;
  c->writer = ATOMIC;
  c->write_at = stamp(code);
}

EXPORT void pl_rt_fence() { blocks_ordered = true; }

static void atomic_access(void *p, size_t n, uintptr_t pc) {
  u32 code = code_of(pc);
  uintptr_t a = (uintptr_t)p;
  Region *r = region_of(a);
  if (measuring)
    note_reached(r, a, n);
  if (twin.n)
    settle_twin();
  if (crossing.n)
    settle_crossing();
  if (r && !r->flags)
    blocks_ordered = true;
  if (!r || a - r->base + n > r->size) {
    if (a - (uintptr_t)arena < ARENA)
      access_gap(a, code);
    else if (r)
      report("out-of-bounds", code, 0, r, (long)(a - r->base), self->id, -1);
    if (r == &static_shared)
      stop_run();
    return;
  }
  size_t off = a - r->base;
  if (r->flags) {
    if (!plainly_written(r->flags + off, (u32)n) &&
        !check_flags(r, off, (u32)n, code, false))
      return;
    memset(r->flags + off, WRITTEN, n);
  }
  if (r->written)
    check_written(r, off, (u32)n, code, false);
  if (watched.from != watched.to)
    note_writer(a, n, code);
  if ((off | n) & (((size_t)1 << r->shift) - 1))
    refine(r, off | n);
  for (size_t i = off >> r->shift; i << r->shift < off + n; i++)
    atomic_cell(r, &r->cells[i], off, code);
}

EXPORT void pl_rt_atomic(void *p, size_t n) { atomic_access(p, n, CALLER); }

#endif
