/* run_counters.h - barriers that count: objects in shared memory that threads and copies
 * arrive at.
 *
 * A phase is over when as many have arrived as the counter was made for, and bulk copies of
 * all bytes that it expects. The copies that were bound to it until then land, at the
 * latest, when somebody waits for it. */
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

static void init_counter(void *at, long long count, uintptr_t pc) {
  touch((uintptr_t)at, 8, true, pc);
  int i = find_counter(NULL);
  if ((i < 0 && n_counters == MAX_COUNTERS) || count < 1 || find_counter(at) >= 0) {
    report("trap", code_of(pc), 0, NULL, 0, self->id, -1);
    stop_run();
  }
  pl_rt_forget(at);
  counters[i < 0 ? n_counters++ : i] = {at, (int)count, 0, 0, self->id, self->clock};
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

/* Ends the phase of a counter, if all is there. */
static void try_phase(int counter) {
  Counter *c = &counters[counter];
  Phase *p = phase_of(c->at, c->phase);
  long long bytes = 0;
  for (int t = 0; t < n_threads; t++)
    for (u32 k = 0; k < fibers[t].n_copies; k++) {
      const Copy *copy = &fibers[t].copies[k];
      bytes += copy->counter == counter + 1 && !copy->phase && copy->is_bulk ? copy->n : 0;
    }
  if ((int)p->arrived < c->count || bytes != c->bytes)
    return;
  for (int t = 0; t < n_threads; t++)
    for (u32 k = 0; k < fibers[t].n_copies; k++)
      if (fibers[t].copies[k].counter == counter + 1 && !fibers[t].copies[k].phase)
        fibers[t].copies[k].phase = c->phase + 1;
  end_phase(p);
  c->phase++;
  c->bytes = 0;
}

EXPORT unsigned pl_rt_counter_arrive(void *at, long long n) {
  atomic_access(at, 8, CALLER);
  int i = counter_at(at, CALLER);
  u32 number = counters[i].phase;
  Phase *p = phase_of(at, number);
  tell(p, self);
  p->arrived += (u32)n;
  try_phase(i);
  land_some();
  return number;
}

EXPORT unsigned pl_rt_counter_phase(void *at, bool parity) {
  u32 now = counters[counter_at(at, CALLER)].phase;
  return (now & 1) == (u32)parity ? now : now - 1;
}

/* The copies of a phase are over: each is its own thread's write, and what the phase makes
 * known. */
static void complete_bound(int counter, u32 number, const Phase *p) {
  for (int t = 0; t < n_threads; t++) {
    Fiber *f = &fibers[t];
    u32 kept = 0, known = p->known[f->warp];
    for (u32 k = 0; k < f->n_copies; k++)
      if (f->copies[k].counter == counter + 1 && f->copies[k].phase == number + 1)
        complete(f, &f->copies[k], known ? known - 1 : 0);
      else
        f->copies[kept++] = f->copies[k];
    f->n_copies = kept;
  }
}

EXPORT void pl_rt_counter_wait(void *at, unsigned number, int line) {
  atomic_access(at, 8, CALLER);
  int i = counter_at(at, CALLER);
  Phase *p = number == counters[i].phase ? phase_of(at, number)
                                        : phases_of(at)->two + (number & 1);
  land_some();
  if (number != ~0u && p->number == number) {
    self->state = AT_PHASE;
    self->awaited = p;
    self->line = line;
    yield_to_scheduler();
    complete_bound(i, number, p);
    learn(p, self);
  }
  atomic_access(at, 8, CALLER); /* it sees that the phase is over */
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
  try_phase(i);
}

/* Where all have arrived at a phase, and all wait for it, it is a barrier of the block. */
static void order_all() {
  const Phase *one = NULL;
  int here = 0, arrived = 0;
  for (int t = 0; t < n_threads; t++) {
    if (fibers[t].state != AT_PHASE || (one && one != fibers[t].awaited))
      continue;
    one = fibers[t].awaited;
    here++;
  }
  for (int w = 0; one && w <= (n_threads - 1) / 32; w++)
    arrived += one->lanes[w];
  if (one && one->is_over && here == n_live && arrived == n_live)
    new_interval();
}

static bool release_something() {
  for (int id = 0; id < 16; id++)
    if (release_named(id))
      return true;
  order_all();
  return release_waiting() || release_meetings();
}

#endif
