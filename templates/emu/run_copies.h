/* run_copies.h - asynchronous copies: when each lands, and who may look
 * before. */
#ifndef PL_RUN_COPIES_H
#define PL_RUN_COPIES_H

#include "run_fibers.h"

static void land(Copy *c) {
  if (c->landed)
    return;
  memcpy(c->dst, c->src, c->from_source);
  memset(c->dst + c->from_source, 0, c->n - c->from_source);
  c->landed = 1;
}

/* Half of what a few threads, neighbours, have in flight. */
static void land_some() {
  if (landing != SOMETIME)
    return;
  int few = n_threads < 8 ? n_threads : 8;
  int first = (int)schedule_random.below((u32)n_threads);
  for (int i = 0; i < few; i++) {
    Fiber *f = &fibers[(first + i) % n_threads];
    for (u32 k = 0; k < f->n_copies; k++)
      if (!f->copies[k].landed && (schedule_random.next() & 1))
        land(&f->copies[k]);
  }
}

static bool has_flag(const u8 *flags, u32 n, u8 flag) {
  for (u32 i = 0; i < n; i++)
    if (flags[i] & flag)
      return true;
  return false;
}

/* What a copy brings to `at`. */
static char byte_of(const Copy *c, const char *at) {
  u32 i = (u32)(at - c->dst);
  return i < c->from_source ? c->src[i] : 0;
}

/* Does `other`, where it meets `c`, bring the same? */
static bool brings_the_same(const Copy *c, const Copy *other) {
  const char *from = c->dst > other->dst ? c->dst : other->dst;
  const char *c_end = c->dst + c->n, *other_end = other->dst + other->n;
  const char *end = c_end < other_end ? c_end : other_end;
  for (; from < end; from++)
    if (byte_of(c, from) != byte_of(other, from))
      return false;
  return true;
}

/* Copies in flight, other than `c`, to where `c` goes; *same: all of them bring
 * what `c` brings. */
static u32 count_meeting(const Copy *c, bool *same) {
  u32 n = 0;
  *same = true;
  for (int t = 0; t < n_threads; t++)
    for (u32 k = 0; k < fibers[t].n_copies; k++) {
      const Copy *other = &fibers[t].copies[k];
      if (other == c || other->done || other->dst >= c->dst + c->n ||
          c->dst >= other->dst + other->n)
        continue;
      n++;
      *same = *same && brings_the_same(c, other);
    }
  return n;
}

/* The copy is over: its bytes are its thread's own write, at that clock. Where another
 * copy brings the same once more, they may be read but not changed. */
static void complete(const Fiber *by, Copy *c, u32 clock) {
  bool same;
  land(c);
  c->done = 1;
  Region *r = region_of((uintptr_t)c->dst);
  size_t off = (uintptr_t)c->dst - r->base;
  bool again = has_flag(r->flags + off, c->n, AGAIN) && count_meeting(c, &same);
  memset(r->flags + off, again ? WRITTEN | AGAIN : WRITTEN, c->n);
  for (size_t i = off >> r->shift; i << r->shift < off + c->n; i++) {
    Cell *cell = &r->cells[i];
    cell->write_clock = clock;
    cell->writer = (u16)(by->id + 1);
    forget_readers(cell);
    cell->write_at = stamp_in(by->warp, c->code);
  }
  Region *s = region_of((uintptr_t)c->src);
  if (s && c->from_source)
    s->sources_in_flight--;
}

static void complete_before(Fiber *f, u32 group, u32 clock) {
  u32 kept = 0;
  for (u32 k = 0; k < f->n_copies; k++) {
    if (f->copies[k].group < group && !f->copies[k].is_bulk)
      complete(f, &f->copies[k], clock);
    else
      f->copies[kept++] = f->copies[k];
  }
  f->n_copies = kept;
}

static Copy *new_copy() {
  Fiber *f = self;
  if (f->n_copies == f->cap_copies) {
    f->cap_copies = f->cap_copies ? 2 * f->cap_copies : 16;
    f->copies = (Copy *)realloc(f->copies, f->cap_copies * sizeof(Copy));
  }
  return &f->copies[f->n_copies++];
}

/* Whether an address is none of global memory: the thread's own, or shared. */
static bool is_beside_global(uintptr_t src) {
  Region *r = region_of(src);
  uintptr_t first = (uintptr_t)stacks;
  return (r && r->flags) ||
         (src >= first && src < first + (size_t)MAX_THREADS * STACK);
}

/* Checks that a copy can be what it claims: 4, 8 or 16 bytes, or groups of 16, both ends
 * aligned, from global into shared memory. False stops it. */
static bool copy_is_valid(uintptr_t dst, uintptr_t src, size_t n, size_t zfill,
                          bool is_bulk, u32 code) {
  Region *r = region_of(dst);
  if (!r || !r->flags || dst - r->base + n > r->size ||
      has_flag(r->flags + (dst - r->base), (u32)n, FOREIGN)) {
    report("out-of-bounds", code, 0, r, r ? (long)(dst - r->base) : 0, self->id,
           -1);
    return false;
  }
  if ((is_bulk ? n % 16 != 0 : n != 4 && n != 8 && n != 16) || zfill > n)
    report("bad-copy", code, 0, r, (long)(dst - r->base), self->id, -1);
  else if ((dst | src) & (is_bulk ? 15 : n - 1))
    report("misaligned", code, 0, r, (long)(dst - r->base), self->id, -1);
  else if (zfill < n && is_beside_global(src))
    report("bad-source", code, 0, r, (long)(dst - r->base), self->id, -1);
  return zfill <= n;
}

static bool finds_the_same(const Copy *c) {
  for (u32 i = 0; i < c->n; i++)
    if (c->dst[i] != byte_of(c, c->dst + i))
      return false;
  return true;
}

/* The copy's write, as others see it. As with two stores, it does no harm that
 * another thread brings the same. True: a copy in flight does. */
static bool write_of_copy(const Copy *c, uintptr_t pc) {
  Region *r = region_of((uintptr_t)c->dst);
  u8 *flags = r->flags + ((uintptr_t)c->dst - r->base);
  bool same = true;
  bool again = has_flag(flags, c->n, IN_FLIGHT | AGAIN) &&
               count_meeting(c, &same) > 0 && same;
  if (again)
    memset(flags, WRITTEN, c->n);
  touch((uintptr_t)c->dst, c->n, true, pc);
  if (twin.n && !again && !finds_the_same(c))
    report("race", twin.code, twin.other, twin.region, twin.offset, twin.thread,
           twin.other_thread);
  twin.n = 0;
  return again;
}

/* `counter`: that a bulk copy is bound to, plus 1. */
static void issue(char *dst, const char *src, size_t n, size_t zfill, int counter,
                  uintptr_t pc) {
  u32 code = code_of(pc);
  kernel_now->makes_copies = true;
  if (!copy_is_valid((uintptr_t)dst, (uintptr_t)src, n, zfill, counter > 0, code))
    return;
  u32 from_source = (u32)(n - zfill);
  if (from_source)
    touch((uintptr_t)src, from_source, false, pc);
  Region *s = region_of((uintptr_t)src);
  if (from_source && s && (uintptr_t)src - s->base + from_source > s->size)
    from_source = 0;
  if (s && from_source)
    s->sources_in_flight++;
  const Copy now = {dst, src, (u32)n, from_source, self->groups, code, 0, 0, counter,
                    0, counter > 0};
  bool again = write_of_copy(&now, pc);
  Region *r = region_of((uintptr_t)dst);
  memset(r->flags + ((uintptr_t)dst - r->base),
         again ? IN_FLIGHT | AGAIN : IN_FLIGHT, n);
  Copy *c = new_copy();
  *c = now;
  if (landing == EARLY)
    land(c);
}

EXPORT void pl_rt_copy(void *dst, const void *src, size_t n, size_t zfill) {
  issue((char *)dst, (const char *)src, n, zfill, 0, CALLER);
}
EXPORT void pl_rt_copy_commit() {
  self->groups++;
  land_some();
}
EXPORT void pl_rt_copy_wait(unsigned prior) {
  land_some();
  complete_before(self, prior > self->groups ? 0 : self->groups - prior,
                  self->clock);
}
EXPORT void pl_rt_copy_wait_all() {
  complete_before(self, self->groups + 1, self->clock);
}

#endif
