/* run_counters.h - barriers that count: objects in shared memory that threads and copies
 * arrive at.
 *
 * A phase is over when all threads that the counter was made for are there, the copies
 * that were bound to it have landed, and bulk copies of all bytes that it expects. Here all threads of the block come to each,
 * and wait where they have come: so the end of a phase is a barrier of the block. */
#ifndef PL_RUN_COUNTERS_H
#define PL_RUN_COUNTERS_H

#include "run_barriers.h"

enum { MAX_COUNTERS = 256 };
static Counter counters[MAX_COUNTERS];
static int n_counters;
static u32 block_began; /* what was done at an earlier clock is another block's */

static int find_counter(const void *at) {
  for (int i = 0; i < n_counters; i++)
    if (counters[i].at == at)
      return i;
  return -1;
}

static int counter_at(const void *at, uintptr_t pc) {
  int i = find_counter(at);
  if (i >= 0)
    return i;
  report("trap", code_of(pc), 0, NULL, 0, self->id, -1);
  stop_run();
  return 0;
}

/* It is made for all threads that have not ended. */
static void init_counter(void *at, long long count, uintptr_t pc) {
  touch((uintptr_t)at, 8, true, pc);
  int i = find_counter(NULL), left = 0;
  for (int t = 0; t < n_threads; t++)
    left += fibers[t].state != DONE;
  if ((i < 0 && n_counters == MAX_COUNTERS) || count != left || find_counter(at) >= 0) {
    report("trap", code_of(pc), 0, NULL, 0, self->id, -1);
    stop_run();
  }
  counters[i < 0 ? n_counters++ : i] = {at, (int)count, 0, self->id, self->clock};
}

/* It may be made anew. (Where the program ends, its objects do too.) */
EXPORT void pl_rt_counter_end(void *at) {
  if (!running)
    return;
  touch((uintptr_t)at, 8, true, CALLER);
  counters[counter_at(at, CALLER)].at = NULL;
}

EXPORT void pl_rt_counter_init(void *at, long long count) {
  init_counter(at, count, CALLER);
}

/* All copies of the thread that are bound to none yet. */
static void bind_copies(void *at, uintptr_t pc) {
  atomic_access(at, 8, pc);
  int i = counter_at(at, pc);
  for (u32 k = 0; k < self->n_copies; k++)
    if (!self->copies[k].counter)
      self->copies[k].counter = i + 1;
}

EXPORT void pl_rt_counter_bind(void *at) { bind_copies(at, CALLER); }

EXPORT void pl_rt_counter_meet(void *at, int line) {
  atomic_access(at, 8, CALLER);
  self->counter = counter_at(at, CALLER);
  self->state = AT_COUNTER;
  self->line = line;
  land_some();
  yield_to_scheduler();
  atomic_access(at, 8, CALLER); /* it sees that the phase is over */
}

static void complete_of(int counter, Copy *c) {
  complete(self, c, self->clock);
  counters[counter].bytes -= c->is_bulk ? c->n : 0;
}

/* The copies that were bound to a counter are over: each is its own thread's write. */
static void complete_bound(int counter) {
  Fiber *before = self;
  for (int t = 0; t < n_threads; t++) {
    u32 kept = 0;
    self = &fibers[t];
    for (u32 k = 0; k < self->n_copies; k++)
      if (self->copies[k].counter == counter + 1)
        complete_of(counter, &self->copies[k]);
      else
        self->copies[kept++] = self->copies[k];
    self->n_copies = kept;
  }
  self = before;
}

static bool release_counter(int counter) {
  int here = 0;
  for (int t = 0; t < n_threads; t++)
    here += fibers[t].state == AT_COUNTER && fibers[t].counter == counter;
  if (here == 0 || here < counters[counter].count)
    return false;
  complete_bound(counter);
  if (counters[counter].bytes)
    return false;
  release_standing(AT_COUNTER);
  return true;
}

/* ---- bulk copies ----------------------------------------------------------- */

EXPORT void pl_rt_counter_expect(void *at, long long bytes) {
  atomic_access(at, 8, CALLER);
  counters[counter_at(at, CALLER)].bytes += bytes;
}

/* What the thread knows to be past, and what it did, is made known to the other proxy. */
EXPORT void pl_rt_proxy_fence() {
  self->fenced = self->floor;
  self->fenced_own = ++self->clock;
  if (latest < self->clock)
    latest = self->clock;
}

static bool is_fenced(u16 who, u32 clock) {
  return clock < block_began ||
         clock < (who == self->id + 1 ? self->fenced_own : self->fenced);
}

/* Whether a proxy fence stands behind all that threads did with cells. */
static bool are_fenced(const Region *r, size_t off, size_t n) {
  for (size_t i = off >> r->shift; i << r->shift < off + n; i++) {
    const Cell *c = &r->cells[i];
    if ((c->writer && !is_fenced(c->writer, c->write_clock)) ||
        (c->reader && !is_fenced(c->reader, c->read_clock)))
      return false;
  }
  return true;
}

EXPORT void pl_rt_copy_bulk(void *dst, const void *src, size_t n, void *at) {
  int i = counter_at(at, CALLER);
  Region *r = region_of((uintptr_t)dst);
  if (r && r->flags && (uintptr_t)dst - r->base + n <= r->size &&
      (!are_fenced(r, (uintptr_t)dst - r->base, n) ||
       !is_fenced((u16)(counters[i].maker + 1), counters[i].clock)))
    report("no-fence", code_of(CALLER), 0, r, (long)((uintptr_t)dst - r->base),
           self->id, -1);
  issue((char *)dst, (const char *)src, n, 0, i + 1, CALLER);
}

static bool release_counters() {
  for (int i = 0; i < n_counters; i++)
    if (release_counter(i))
      return true;
  return false;
}

static bool release_something() {
  for (int id = 0; id < 16; id++)
    if (release_named(id))
      return true;
  return release_counters() || release_waiting() || release_meetings();
}

#endif
