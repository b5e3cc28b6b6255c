/* run_block.h - one block from its first thread to its last, and what may
 * end it early. */
#ifndef PL_RUN_BLOCK_H
#define PL_RUN_BLOCK_H

#include "run_counters.h"

static void *const *call_args;

static void fiber_main() {
  kernel_now->entry.call(call_args);
  self->state = DONE;
  n_live--;
  yield_to_scheduler();
  __builtin_trap();
}

static void start_fiber(int t) {
  Fiber *f = &fibers[t];
  self = f;
  f->state = READY;
  f->id = (u16)t;
  f->warp = (u16)(t / 32);
  f->lane = (u16)(t % 32);
  f->index.x = (unsigned)t % blockDim.x;
  f->index.y = (unsigned)t / blockDim.x % blockDim.y;
  f->index.z = (unsigned)t / blockDim.x / blockDim.y;
  f->n_copies = 0;
  f->groups = 0;
  f->fenced_own = f->fenced = 0;
  char *top = stacks + ((size_t)t + 1) * STACK - 64 - (size_t)(t % 61) * 320;
  f->sp = NULL;
  f->sp = fresh_stack(top, fiber_main);
}

static void run_fiber(Fiber *f) {
  self = f;
  threadIdx = f->index;
  pl_switch(&scheduler_sp, f->sp);
}

static void run_fibers(const u16 *order) {
  while (n_live > 0) {
    bool moved = false;
    for (int i = 0; i < n_threads; i++)
      if (fibers[order[i]].state == READY) {
        run_fiber(&fibers[order[i]]);
        moved = true;
      }
    if (!release_something() && !moved) {
      report_deadlock();
      return;
    }
  }
}

static void forget_copies() {
  for (int t = 0; t < n_threads; t++)
    fibers[t].n_copies = 0;
  for (int i = 0; i < n_buffers; i++)
    buffers[i].sources_in_flight = 0;
}

static void poison_part(Region *r, u64 pattern, const Part *part) {
  char *p = (char *)r->base + part->from;
  size_t n = part->to - part->from, i = 0;
  for (; i + 8 <= n; i += 8)
    memcpy(p + i, &pattern, 8);
  memcpy(p + i, &pattern, n - i);
  memset(r->flags + part->from, 0, n);
}

static void poison(Region *r, u64 pattern) {
  const Part whole = {0, r->size, false};
  if (!r->parts)
    poison_part(r, pattern, &whole);
  for (int i = 0; i < r->n_parts; i++)
    if (!r->parts[i].foreign)
      poison_part(r, pattern, &r->parts[i]);
}

static void run_block(const u16 *order, u64 pattern) {
  n_live = n_threads;
  block_now++;
  n_counters = 0;
  for (int t = 0; t < n_threads; t++)
    start_fiber(t);
  poison(&static_shared, pattern);
  poison(&dynamic_shared, pattern);
  forget_phases();
  new_interval();
  block_began = latest;
  run_fibers(order);
  forget_copies();
}

/* --- faults -------------------------------------------------------------- */

static void on_fault(int number, siginfo_t *, void *context) {
  if (!running)
    _exit(99);
  u32 code = 0;
#if defined(__x86_64__)
  uintptr_t pc = (uintptr_t)((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP];
  code = (u32)(pc - kernel_now->code_base);
#else
  (void)context;
#endif
  if (number == SIGALRM)
    endless[kernel_now - kernels] = launch_now + 1;
  report(number == SIGALRM   ? "timeout"
         : number == SIGABRT ? "trap"
                             : "fault",
         code, 0, NULL, 0, self ? self->id : 0, -1);
  if (number == SIGALRM && first_waiting() && self)
    note_groups("timeout", self);
  stop_run();
}

EXPORT void pl_rt_trap(const char *) {
  report("trap", code_of(CALLER), 0, NULL, 0, self->id, -1);
  stop_run();
}

static void catch_faults() {
  stack_t alternate = {};
  alternate.ss_size = 64 * 1024;
  alternate.ss_sp = malloc(alternate.ss_size);
  sigaltstack(&alternate, NULL);
  struct sigaction action = {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM};
  for (int s : signals)
    sigaction(s, &action, NULL);
}

static void set_timer(int seconds) {
  struct itimerval timer = {};
  timer.it_value.tv_sec = seconds;
  setitimer(ITIMER_REAL, &timer, NULL);
}

/* --- the shared window --------------------------------------------------- */

enum { STATIC_WINDOW = 0x01000000, DYNAMIC_WINDOW = 0x40000000 };

EXPORT unsigned pl_rt_shared_address(const void *p) {
  uintptr_t a = (uintptr_t)p;
  if (a - static_shared.base <= static_shared.size)
    return STATIC_WINDOW + (unsigned)(a - static_shared.base);
  return DYNAMIC_WINDOW + (unsigned)(a - (uintptr_t)pl_dynamic_shared);
}
EXPORT void *pl_rt_shared_pointer(unsigned address) {
  if (address >= DYNAMIC_WINDOW - 0x800000u)
    return pl_dynamic_shared + (int)(address - DYNAMIC_WINDOW);
  return (char *)static_shared.base + (int)(address - STATIC_WINDOW);
}
EXPORT unsigned pl_rt_dynamic_size() { return (unsigned)dynamic_shared.size; }
EXPORT int pl_rt_space(const void *p) {
  const Region *r = region_of((uintptr_t)p);
  return !r ? 0 : r->flags ? 1 : 2;
}

#endif
