/* runner.cpp - runs an original kernel and its rewritten forms block by block
 * on the host, watches their memory, and compares what they leave behind.
 *
 *   runner PLAN
 *
 * PLAN is text: src/emu_plan.c writes it, src/emu_findings.c reads the report
 * from stdout. A kernel is a shared object whose memory accesses call the
 * __tsan_ functions below. Each byte (or aligned word, while nothing smaller is
 * touched) has a cell that says who wrote and who read it since the last barrier; a byte of
 * shared memory also has flags: written since the block began, and target of a
 * copy that has not been waited for.
 *
 * Two accesses of one barrier interval conflict when one is a write, the threads
 * differ, and no __syncwarp of their common warp lies between. */
#include "pl_run.h"
#include "pl_symbols.h"

#include <dlfcn.h>
#include <link.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define EXPORT extern "C" __attribute__((visibility("default")))
#define CALLER ((uintptr_t)__builtin_return_address(0))
#define UNLIKELY(c) __builtin_expect(!!(c), 0)

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

enum { MANY_FINDINGS = 12 };
enum { MAX_THREADS = 1024, STACK = 256 * 1024, MAX_SO = 64, MAX_ARGS = 64,
       MAX_LAUNCHES = 256 };
enum { DYNAMIC_LIMIT = 232448 + 65536 };
static const size_t SLOT = (size_t)1 << 20;
static const size_t ARENA = (size_t)2 << 30;

/* Global names that kernels see. The kernel's side declares them const. */
struct dim3 {
  unsigned x, y, z;
};
EXPORT pl_emu_index threadIdx, blockIdx;
EXPORT dim3 blockDim, gridDim;
pl_emu_index threadIdx, blockIdx;
dim3 blockDim, gridDim;
EXPORT char pl_dynamic_shared[DYNAMIC_LIMIT];
__attribute__((aligned(1024))) char pl_dynamic_shared[DYNAMIC_LIMIT];

/* The report; a kernel's own printf goes nowhere. */
static FILE *out;

static void open_report() {
  out = fdopen(dup(1), "w");
  if (!out || !freopen("/dev/null", "w", stdout))
    _exit(2);
}

/* --- random numbers ------------------------------------------------------ */

struct Random {
  u64 state;
  u64 next() {
    u64 z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  u32 below(u32 n) { return (u32)((next() >> 32) * n >> 32); }
  double unit() { return (double)(next() >> 11) * 0x1p-53; }
};

/* --- shadow memory ------------------------------------------------------- */

/* AGAIN: another copy in flight brings what the cell has or is to get. FOREIGN:
 * an array of another kernel of the file. */
enum { WRITTEN = 1, IN_FLIGHT = 2, AGAIN = 4, FOREIGN = 8 };
enum { NOBODY = 0, ATOMIC = 0xfffd, MANY = 0xffff, MANY_IN_WARP = 0x8000 };
enum Space { SPACE_STATIC, SPACE_DYNAMIC, SPACE_ARGUMENT };

/* `at` words hold a code offset and, in the low ten bits, the number of warp
 * synchronisations that the thread's warp had done in this interval. */
struct Cell {
  u32 epoch;
  u16 writer, reader;
  u32 write_at, read_at;
};

struct Region {
  uintptr_t base;
  size_t size;
  Cell *cells;
  u8 *flags;
  int shift, space, index;
  int sources_in_flight;
};

struct Copy {
  char *dst;
  const char *src;
  u32 n, from_source, group, code;
  u8 landed, done;
};

enum State { READY, AT_BARRIER, AT_MEETING, DONE };

struct Fiber {
  void *sp;
  State state;
  u16 id, warp, lane;
  pl_emu_index index;
  unsigned mask;
  void *deposit;
  void (*finish)(void *const *, unsigned);
  int line, barrier_id, barrier_count, vote, predicate, result;
  Copy *copies;
  u32 n_copies, cap_copies, groups;
};

struct Finding {
  const char *kind;
  u32 code, other_code;
  int space, index;
  long offset;
  int thread, other_thread;
};

struct Kernel {
  void *handle;
  pl_kernel entry;
  uintptr_t code_base;
  char path[4096];
  char *shared;
  size_t shared_size;
  u8 *foreign; /* the flag, for each byte of it */
  int foreign_to; /* the launch */
  struct {
    char *p, *saved;
    size_t n;
  } data[8];
  int n_data;
};

static Region static_shared, dynamic_shared, buffers[MAX_ARGS];
static int n_buffers;
static char *arena;
static int slot_owner[ARENA / SLOT];
static u32 epoch = 1;

static Fiber fibers[MAX_THREADS];
static char *stacks;
static Fiber *self;
static int n_threads, n_live;
static u32 warp_orders[MAX_THREADS / 32];
static bool running, copies_seen;
static void *scheduler_sp;
static sigjmp_buf give_up;
static Random schedule_random;
enum Order { FORWARD, BACKWARD, SHUFFLED };
enum Landing { EARLY, LATE, SOMETIME };
static int landing;
static Kernel kernels[MAX_SO], *kernel_now;
static int endless[MAX_SO], launch_now; /* the launch, plus 1, not to run again */
static int timeout_seconds = 20;
static bool given_up; /* the run did not come to its end */

static Finding findings[16];
static int n_findings;

static u32 code_of(uintptr_t pc) { return (u32)(pc - 1 - kernel_now->code_base); }

/* Keeps the first finding of each kind and place. */
static void report(const char *kind, u32 code, u32 other, const Region *r,
                   long offset, int thread, int other_thread) {
  for (int i = 0; i < n_findings; i++)
    if (findings[i].kind == kind && findings[i].code == code)
      return;
  if (n_findings == (int)(sizeof findings / sizeof *findings))
    return;
  findings[n_findings++] = {kind,          code,          other,
                            r ? r->space : -1, r ? r->index : 0, offset,
                            thread,        other_thread};
}

static int thread_of(u16 who) {
  return who == MANY || who == ATOMIC || who == NOBODY ? -1
         : who & MANY_IN_WARP ? (who & 0x7fff) * 32
                              : who - 1;
}

static u32 stamp(u32 code) {
  u32 orders = warp_orders[self->warp];
  return code << 10 | (orders > 1023 ? 1023 : orders);
}

/* Is what `who` did at `at` ordered before now by the common warp's syncs? */
static bool warp_ordered(u16 who, u32 at) {
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

static void cell_write(const Region *r, Cell *c, size_t off, u32 n, u32 code) {
  u16 me = (u16)(self->id + 1);
  if (c->epoch == epoch) {
    if (c->writer && c->writer != me)
      write_conflict(r, off, n, code, c);
    if (c->reader && c->reader != me)
      read_conflict(r, off, code, c->reader, c->read_at);
  } else {
    c->epoch = epoch;
    c->reader = NOBODY;
  }
  c->writer = me;
  c->write_at = stamp(code);
}

/* Another reader joins: remembered alone, as many of one warp, or as many. */
static void merge_reader(Cell *c, u16 me, u32 code) {
  int warp = c->reader & MANY_IN_WARP ? c->reader & 0x7fff
                                      : (c->reader - 1) / 32;
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

static inline void cell_read(const Region *r, Cell *c, size_t off, u32 code) {
  u16 me = (u16)(self->id + 1);
  if (c->epoch != epoch) {
    c->epoch = epoch;
    c->writer = NOBODY;
    c->reader = me;
    c->read_at = stamp(code);
    return;
  }
  if (UNLIKELY(c->writer && c->writer != me))
    read_conflict(r, off, code, c->writer, c->write_at);
  if (c->reader == me)
    return;
  if (c->reader == NOBODY) {
    c->reader = me;
    c->read_at = stamp(code);
  } else {
    merge_reader(c, me, code);
  }
}

/* Cells become finer when a smaller access comes: each is spread over its
 * parts. Never coarser again, so that this happens twice at most. */
static void refine(Region *r, size_t odd) {
  int shift = odd & 1 ? 0 : 1;
  int by = r->shift - shift;
  for (size_t i = r->size >> shift; i-- > 0;)
    r->cells[i] = r->cells[i >> by];
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

static void check_flags(Region *r, size_t off, u32 n, u32 code, bool write) {
  if (plainly_written(r->flags + off, n))
    return;
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

static void access_in(Region *r, size_t off, u32 n, bool write, u32 code) {
  if (UNLIKELY(off + n > r->size)) {
    report("out-of-bounds", code, 0, r, (long)off, self->id, -1);
    return;
  }
  if (r->flags)
    check_flags(r, off, n, code, write);
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

static Region *region_of(uintptr_t a) {
  if (a - static_shared.base < static_shared.size)
    return &static_shared;
  if (a - (uintptr_t)pl_dynamic_shared < DYNAMIC_LIMIT)
    return &dynamic_shared;
  if (a - (uintptr_t)arena < ARENA) {
    int owner = slot_owner[(a - (uintptr_t)arena) / SLOT];
    return owner ? &buffers[owner - 1] : NULL;
  }
  return NULL;
}

static void touch(uintptr_t a, u32 n, bool write, uintptr_t pc) {
  if (UNLIKELY(!running))
    return;
  if (UNLIKELY(twin.n))
    settle_twin();
  Region *r = region_of(a);
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
EXPORT void pl_rt_write(void *p, size_t n) {
  touch((uintptr_t)p, (u32)n, true, CALLER);
}

/* Atomics conflict with plain accesses of others, not with each other. */
static void atomic_cell(Region *r, Cell *c, size_t off, u32 code) {
  u16 me = (u16)(self->id + 1);
  if (c->epoch == epoch) {
    if (c->writer && c->writer != me && c->writer != ATOMIC)
      read_conflict(r, off, code, c->writer, c->write_at);
    if (c->reader && c->reader != me)
      read_conflict(r, off, code, c->reader, c->read_at);
  } else {
    c->epoch = epoch;
    c->reader = NOBODY;
  }
  c->writer = ATOMIC;
  c->write_at = stamp(code);
}

EXPORT void pl_rt_atomic(void *p, size_t n) {
  u32 code = code_of(CALLER);
  uintptr_t a = (uintptr_t)p;
  Region *r = region_of(a);
  if (twin.n)
    settle_twin();
  if (!r || a - r->base + n > r->size) {
    if (a - (uintptr_t)arena < ARENA)
      access_gap(a, code);
    return;
  }
  size_t off = a - r->base;
  if (r->flags) {
    check_flags(r, off, (u32)n, code, false);
    memset(r->flags + off, WRITTEN, n);
  }
  if ((off | n) & (((size_t)1 << r->shift) - 1))
    refine(r, off | n);
  for (size_t i = off >> r->shift; i << r->shift < off + n; i++)
    atomic_cell(r, &r->cells[i], off, code);
}

/* --- what the compiler calls --------------------------------------------- */

#define HOOK(name, n, write)                                                   \
  EXPORT void name(void *p) { touch((uintptr_t)p, n, write, CALLER); }
#define WIDE_HOOK(name, n, write)                                              \
  EXPORT void name(void *p) {                                                  \
    check_aligned((uintptr_t)p, n, CALLER);                                    \
    touch((uintptr_t)p, n, write, CALLER);                                     \
  }
HOOK(__tsan_read1, 1, false)
WIDE_HOOK(__tsan_read2, 2, false)
WIDE_HOOK(__tsan_read4, 4, false)
WIDE_HOOK(__tsan_read8, 8, false)
WIDE_HOOK(__tsan_read16, 16, false)
HOOK(__tsan_write1, 1, true)
WIDE_HOOK(__tsan_write2, 2, true)
WIDE_HOOK(__tsan_write4, 4, true)
WIDE_HOOK(__tsan_write8, 8, true)
WIDE_HOOK(__tsan_write16, 16, true)
HOOK(__tsan_unaligned_read2, 2, false)
HOOK(__tsan_unaligned_read4, 4, false)
HOOK(__tsan_unaligned_read8, 8, false)
HOOK(__tsan_unaligned_read16, 16, false)
HOOK(__tsan_unaligned_write2, 2, true)
HOOK(__tsan_unaligned_write4, 4, true)
HOOK(__tsan_unaligned_write8, 8, true)
HOOK(__tsan_unaligned_write16, 16, true)
HOOK(__tsan_volatile_read1, 1, false)
HOOK(__tsan_volatile_read2, 2, false)
HOOK(__tsan_volatile_read4, 4, false)
HOOK(__tsan_volatile_read8, 8, false)
HOOK(__tsan_volatile_read16, 16, false)
HOOK(__tsan_volatile_write1, 1, true)
HOOK(__tsan_volatile_write2, 2, true)
HOOK(__tsan_volatile_write4, 4, true)
HOOK(__tsan_volatile_write8, 8, true)
HOOK(__tsan_volatile_write16, 16, true)
EXPORT void __tsan_read_range(void *p, size_t n) {
  touch((uintptr_t)p, (u32)n, false, CALLER);
}
EXPORT void __tsan_write_range(void *p, size_t n) {
  touch((uintptr_t)p, (u32)n, true, CALLER);
}
EXPORT void *__tsan_memcpy(void *d, const void *s, size_t n) {
  touch((uintptr_t)s, (u32)n, false, CALLER);
  touch((uintptr_t)d, (u32)n, true, CALLER);
  return memcpy(d, s, n);
}
EXPORT void *__tsan_memmove(void *d, const void *s, size_t n) {
  touch((uintptr_t)s, (u32)n, false, CALLER);
  touch((uintptr_t)d, (u32)n, true, CALLER);
  return memmove(d, s, n);
}
EXPORT void *__tsan_memset(void *d, int v, size_t n) {
  touch((uintptr_t)d, (u32)n, true, CALLER);
  return memset(d, v, n);
}

/* Atomics of the host's library, as kernels never use them; they are here so
 * that host code beside a kernel finds them. */
#define ATOMIC_STEP(bits, name, expression)                                    \
  EXPORT u##bits __tsan_atomic##bits##_##name(volatile u##bits *p, u##bits v,  \
                                              int) {                           \
    u##bits old = *p;                                                          \
    *p = (u##bits)(expression);                                                \
    return old;                                                                \
  }
#define ATOMIC_CAS(bits, name)                                                 \
  EXPORT int __tsan_atomic##bits##_##name(volatile u##bits *p, u##bits *want,  \
                                          u##bits v, int, int) {               \
    u##bits old = *p;                                                          \
    bool same = old == *want;                                                  \
    *(same ? p : want) = same ? v : old;                                       \
    return same;                                                               \
  }
#define ATOMICS(bits)                                                          \
  EXPORT u##bits __tsan_atomic##bits##_load(const volatile u##bits *p, int) {  \
    return *p;                                                                 \
  }                                                                            \
  EXPORT void __tsan_atomic##bits##_store(volatile u##bits *p, u##bits v,      \
                                          int) {                               \
    *p = v;                                                                    \
  }                                                                            \
  EXPORT u##bits __tsan_atomic##bits##_compare_exchange_val(                   \
      volatile u##bits *p, u##bits want, u##bits v, int, int) {                \
    u##bits old = *p;                                                          \
    *p = old == want ? v : old;                                                \
    return old;                                                                \
  }                                                                            \
  ATOMIC_STEP(bits, exchange, v)                                               \
  ATOMIC_STEP(bits, fetch_add, old + v)                                        \
  ATOMIC_STEP(bits, fetch_sub, old - v)                                        \
  ATOMIC_STEP(bits, fetch_and, old & v)                                        \
  ATOMIC_STEP(bits, fetch_or, old | v)                                         \
  ATOMIC_STEP(bits, fetch_xor, old ^ v)                                        \
  ATOMIC_STEP(bits, fetch_nand, ~(old & v))                                    \
  ATOMIC_CAS(bits, compare_exchange_strong)                                    \
  ATOMIC_CAS(bits, compare_exchange_weak)
ATOMICS(8)
ATOMICS(16)
ATOMICS(32)
ATOMICS(64)
EXPORT void __tsan_atomic_thread_fence(int) {}
EXPORT void __tsan_atomic_signal_fence(int) {}
EXPORT void __tsan_init() {}
EXPORT void __tsan_func_entry(void *) {}
EXPORT void __tsan_func_exit() {}
EXPORT void __tsan_vptr_read(void **) {}
EXPORT void __tsan_vptr_update(void **, void *) {}

/* --- fibers -------------------------------------------------------------- */

#if defined(__x86_64__)
extern "C" void pl_switch(void **save, void *to);
asm(".text\n.globl pl_switch\n.type pl_switch, @function\npl_switch:\n"
    "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
    "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
    "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n"
    ".size pl_switch, . - pl_switch\n");

static void *fresh_stack(char *top, void (*start)()) {
  void **sp = (void **)top;
  *--sp = NULL;
  *--sp = (void *)start;
  sp -= 6;
  memset(sp, 0, 6 * sizeof *sp);
  return sp;
}
#else
#include <ucontext.h>
static ucontext_t contexts[MAX_THREADS + 1];

static void *fresh_stack(char *top, void (*start)()) {
  size_t which = (size_t)(self - fibers);
  ucontext_t *c = &contexts[which];
  getcontext(c);
  c->uc_stack.ss_sp = stacks + which * STACK;
  c->uc_stack.ss_size = (size_t)(top - (stacks + which * STACK));
  c->uc_link = NULL;
  makecontext(c, start, 0);
  return c;
}

static void pl_switch(void **save, void *to) {
  if (!*save)
    *save = save == &scheduler_sp ? &contexts[MAX_THREADS]
                                  : &contexts[self - fibers];
  swapcontext((ucontext_t *)*save, (ucontext_t *)to);
}
#endif

static void yield_to_scheduler() {
  if (twin.n)
    settle_twin();
  pl_switch(&self->sp, scheduler_sp);
}

/* --- asynchronous copies ------------------------------------------------- */

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

/* The copy is over: its bytes are this thread's own write, now. Where another
 * copy brings the same once more, they may be read but not changed. */
static void complete(Copy *c) {
  bool same;
  land(c);
  c->done = 1;
  Region *r = region_of((uintptr_t)c->dst);
  size_t off = (uintptr_t)c->dst - r->base;
  bool again = has_flag(r->flags + off, c->n, AGAIN) && count_meeting(c, &same);
  memset(r->flags + off, again ? WRITTEN | AGAIN : WRITTEN, c->n);
  for (size_t i = off >> r->shift; i << r->shift < off + c->n; i++) {
    Cell *cell = &r->cells[i];
    cell->epoch = epoch;
    cell->writer = (u16)(self->id + 1);
    cell->reader = NOBODY;
    cell->write_at = stamp(c->code);
  }
  Region *s = region_of((uintptr_t)c->src);
  if (s && c->from_source)
    s->sources_in_flight--;
}

static void complete_before(u32 group) {
  u32 kept = 0;
  for (u32 k = 0; k < self->n_copies; k++) {
    if (self->copies[k].group < group)
      complete(&self->copies[k]);
    else
      self->copies[kept++] = self->copies[k];
  }
  self->n_copies = kept;
}

static Copy *new_copy() {
  Fiber *f = self;
  if (f->n_copies == f->cap_copies) {
    f->cap_copies = f->cap_copies ? 2 * f->cap_copies : 16;
    f->copies = (Copy *)realloc(f->copies, f->cap_copies * sizeof(Copy));
  }
  return &f->copies[f->n_copies++];
}

/* Checks that a copy can be what it claims: 4, 8 or 16 bytes, both ends aligned,
 * into shared memory. False stops it. */
static bool copy_is_valid(uintptr_t dst, uintptr_t src, size_t n, size_t zfill,
                          u32 code) {
  Region *r = region_of(dst);
  if (!r || !r->flags || dst - r->base + n > r->size) {
    report("out-of-bounds", code, 0, r, r ? (long)(dst - r->base) : 0, self->id,
           -1);
    return false;
  }
  if ((n != 4 && n != 8 && n != 16) || zfill > n)
    report("bad-copy", code, 0, r, (long)(dst - r->base), self->id, -1);
  else if ((dst | src) & (n - 1))
    report("misaligned", code, 0, r, (long)(dst - r->base), self->id, -1);
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

static void issue(char *dst, const char *src, size_t n, size_t zfill,
                  uintptr_t pc) {
  u32 code = code_of(pc);
  copies_seen = true;
  if (!copy_is_valid((uintptr_t)dst, (uintptr_t)src, n, zfill, code))
    return;
  u32 from_source = (u32)(n - zfill);
  if (from_source)
    touch((uintptr_t)src, from_source, false, pc);
  Region *s = region_of((uintptr_t)src);
  if (from_source && s && (uintptr_t)src - s->base + from_source > s->size)
    from_source = 0;
  if (s && from_source)
    s->sources_in_flight++;
  const Copy now = {dst, src, (u32)n, from_source, self->groups, code, 0, 0};
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
  issue((char *)dst, (const char *)src, n, zfill, CALLER);
}
EXPORT void pl_rt_copy_commit() {
  self->groups++;
  land_some();
}
EXPORT void pl_rt_copy_wait(unsigned prior) {
  land_some();
  complete_before(prior > self->groups ? 0 : self->groups - prior);
}
EXPORT void pl_rt_copy_wait_all() { complete_before(self->groups + 1); }

/* --- barriers and meetings ----------------------------------------------- */

EXPORT int pl_rt_barrier(int vote, int predicate, int line) {
  Fiber *f = self;
  f->state = AT_BARRIER;
  f->barrier_id = 0;
  f->barrier_count = 0;
  f->vote = vote;
  f->predicate = predicate;
  f->line = line;
  yield_to_scheduler();
  return self->result;
}

EXPORT void pl_rt_named_barrier(int id, int count, int line) {
  Fiber *f = self;
  f->state = AT_BARRIER;
  f->barrier_id = id;
  f->barrier_count = count;
  f->vote = 0;
  f->line = line;
  yield_to_scheduler();
}

/* The fibers of `first`'s warp whose lanes are in its mask; true when each of
 * them that lives has come to the same meeting. */
static bool meeting_complete(const Fiber *first, void **deposits) {
  int base = first->warp * 32;
  bool mixed = false;
  for (int lane = 0; lane < 32; lane++) {
    deposits[lane] = NULL;
    Fiber *f = &fibers[base + lane];
    if (base + lane >= n_threads || !(first->mask >> lane & 1) ||
        f->state == DONE)
      continue;
    if (f->state != AT_MEETING || f->mask != first->mask)
      return false;
    mixed |= f->finish != first->finish;
    deposits[lane] = f->deposit;
  }
  if (mixed)
    report("divergence", 0, 0, NULL, first->line, first->id, -1);
  return !mixed;
}

static void finish_meeting(const Fiber *first, void *const *deposits) {
  unsigned mask = first->mask;
  int base = first->warp * 32;
  if (first->finish)
    first->finish(deposits, mask);
  for (int lane = 0; lane < 32 && base + lane < n_threads; lane++)
    if ((mask >> lane & 1) && fibers[base + lane].state == AT_MEETING)
      fibers[base + lane].state = READY;
}

EXPORT void pl_rt_meet(unsigned mask, void *mine,
                       void (*finish)(void *const *, unsigned), int line) {
  Fiber *f = self;
  void *deposits[32];
  f->state = AT_MEETING;
  f->mask = mask;
  f->deposit = mine;
  f->finish = finish;
  f->line = line;
  if (meeting_complete(f, deposits)) {
    finish_meeting(f, deposits);
    return;
  }
  yield_to_scheduler();
}

EXPORT void pl_rt_warp_order() { warp_orders[self->warp]++; }
EXPORT unsigned pl_rt_lane() { return self->lane; }
EXPORT unsigned pl_rt_live_lanes() {
  unsigned mask = 0;
  int base = self->warp * 32;
  for (int lane = 0; lane < 32 && base + lane < n_threads; lane++)
    if (fibers[base + lane].state != DONE)
      mask |= 1u << lane;
  return mask;
}

static int vote_result(int vote, int count) {
  return vote == 1 ? count : vote == 2 ? count == n_live : count > 0;
}

static void new_interval() {
  epoch++;
  memset(warp_orders, 0, sizeof warp_orders);
  land_some();
}

/* All living threads stand at barrier 0: lets them go. Threads that wait at
 * different lines met by accident. */
static void release_all() {
  int count = 0, line = -1;
  const Fiber *first = NULL;
  for (int t = 0; t < n_threads; t++) {
    Fiber *f = &fibers[t];
    if (f->state != AT_BARRIER)
      continue;
    count += f->predicate != 0;
    if (!first)
      first = f;
    else if (f->line != first->line && line < 0)
      line = f->line;
  }
  if (line >= 0)
    report("divergence", 0, (u32)line, NULL, first->line, first->id, -1);
  for (int t = 0; t < n_threads; t++)
    if (fibers[t].state == AT_BARRIER) {
      fibers[t].state = READY;
      fibers[t].result = vote_result(fibers[t].vote, count);
    }
  new_interval();
}

/* Releases the named barrier `id` when enough threads stand there. The shadow
 * then treats it as a barrier of the whole block: no false race, some missed. */
static bool release_named(int id) {
  int here = 0, want = 0;
  for (int t = 0; t < n_threads; t++)
    if (fibers[t].state == AT_BARRIER && fibers[t].barrier_id == id) {
      here++;
      want = fibers[t].barrier_count;
    }
  if (here == 0 || here < (want ? want : n_live))
    return false;
  if (here == n_live && id == 0) {
    release_all();
    return true;
  }
  for (int t = 0; t < n_threads; t++)
    if (fibers[t].state == AT_BARRIER && fibers[t].barrier_id == id)
      fibers[t].state = READY;
  new_interval();
  return true;
}

static bool release_meetings() {
  void *deposits[32];
  for (int t = 0; t < n_threads; t++)
    if (fibers[t].state == AT_MEETING &&
        meeting_complete(&fibers[t], deposits)) {
      finish_meeting(&fibers[t], deposits);
      return true;
    }
  return false;
}

static bool release_something() {
  for (int id = 0; id < 16; id++)
    if (release_named(id))
      return true;
  return release_meetings();
}

static void report_deadlock() {
  const Fiber *a = NULL, *b = NULL;
  for (int t = 0; t < n_threads; t++) {
    const Fiber *f = &fibers[t];
    if (f->state == DONE)
      continue;
    if (!a)
      a = f;
    else if (!b && (f->line != a->line || f->state != a->state))
      b = f;
  }
  report("deadlock", 0, b ? (u32)b->line : 0, NULL, a ? a->line : 0,
         a ? a->id : 0, b ? b->id : -1);
}

/* --- one block ----------------------------------------------------------- */

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

static void poison(Region *r, u64 pattern, const u8 *foreign) {
  u64 *p = (u64 *)r->base;
  for (size_t i = 0; i < r->size / 8; i++)
    p[i] = pattern;
  if (foreign)
    memcpy(r->flags, foreign, r->size);
  else
    memset(r->flags, 0, r->size);
}

static void run_block(const u16 *order, u64 pattern) {
  n_live = n_threads;
  for (int t = 0; t < n_threads; t++)
    start_fiber(t);
  poison(&static_shared, pattern, kernel_now->foreign);
  poison(&dynamic_shared, pattern, NULL);
  new_interval();
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
  running = false;
  given_up = true;
  if (number == SIGALRM)
    endless[kernel_now - kernels] = launch_now + 1;
  report(number == SIGALRM   ? "timeout"
         : number == SIGABRT ? "trap"
                             : "fault",
         code, 0, NULL, 0, self ? self->id : 0, -1);
  siglongjmp(give_up, 1);
}

EXPORT void pl_rt_trap(const char *) {
  report("trap", code_of(CALLER), 0, NULL, 0, self->id, -1);
  running = false;
  given_up = true;
  siglongjmp(give_up, 1);
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

enum { STATIC_WINDOW = 0x01000000, DYNAMIC_WINDOW = 0x02000000 };

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

/* --- kernels ------------------------------------------------------------- */

static void *reserve(size_t n) {
  void *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) {
    fprintf(out, "error\tno memory\n");
    exit(1);
  }
  return p;
}

static void save_data(Kernel *k, char *p, size_t n) {
  if (k->n_data == 8)
    return;
  auto &d = k->data[k->n_data++];
  d.p = p;
  d.n = n;
  d.saved = (char *)malloc(n);
  memcpy(d.saved, p, n);
}

/* Finds the shared memory (thread-local data) and the variables of a loaded
 * kernel; variables are put back before each run. */
static int look_at_object(struct dl_phdr_info *info, size_t, void *argument) {
  Kernel *k = (Kernel *)argument;
  if (info->dlpi_addr != k->code_base)
    return 0;
  uintptr_t from = 0, to = 0;
  for (int i = 0; i < info->dlpi_phnum; i++)
    if (info->dlpi_phdr[i].p_type == PT_GNU_RELRO) {
      from = info->dlpi_phdr[i].p_vaddr;
      to = (from + info->dlpi_phdr[i].p_memsz + 4095) & ~(uintptr_t)4095;
    }
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *h = &info->dlpi_phdr[i];
    if (h->p_type == PT_TLS) {
      k->shared = (char *)info->dlpi_tls_data;
      k->shared_size = h->p_memsz;
    }
    if (h->p_type == PT_LOAD && (h->p_flags & PF_W)) {
      uintptr_t a = h->p_vaddr, end = a + h->p_memsz;
      if (a >= from && a < to)
        a = to;
      if (a < end)
        save_data(k, (char *)(k->code_base + a), end - a);
    }
  }
  return 1;
}

typedef void Describe(pl_kernel *);

static Describe *description(const Kernel *k, int launch) {
  char name[32];
  snprintf(name, sizeof name, "pl_kernel_%d", launch);
  return (Describe *)dlsym(k->handle, name);
}

/* The mangled name of a kernel; empty: it has none. */
static void name_kernel(const Kernel *k, const pl_kernel *entry, char *name,
                        size_t size) {
  uintptr_t at = (uintptr_t)entry->kernel - k->code_base;
  name[0] = 0;
  pl_each_symbol(k->path, [&](const ElfW(Sym) & symbol, const char *word) {
    if (ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_value == at &&
        strncmp(word, "_Z", 2) == 0)
      snprintf(name, size, "%s", word);
  });
}

/* `void f() { static int v; }` is called "_Z1fv" and "_ZZ1fvE1v". */
static void mark_locals(Kernel *k, const char *kernel, u8 flag) {
  size_t n = strlen(kernel) - 2;
  pl_each_symbol(k->path, [&](const ElfW(Sym) & symbol, const char *word) {
    if (ELF64_ST_TYPE(symbol.st_info) == STT_TLS &&
        strncmp(word, "_ZZ", 3) == 0 && strncmp(word + 3, kernel + 2, n) == 0 &&
        word[3 + n] == 'E' && symbol.st_value + symbol.st_size <= k->shared_size)
      memset(k->foreign + symbol.st_value, flag, symbol.st_size);
  });
}

/* Which of the shared memory the other kernels of the file declare. */
static void find_foreign(Kernel *k, int launch) {
  static char own[8192], other[8192];
  pl_kernel entry;
  if (k->foreign && k->foreign_to == launch)
    return;
  k->foreign_to = launch;
  free(k->foreign);
  k->foreign = (u8 *)calloc(k->shared_size + 1, 1);
  name_kernel(k, &k->entry, own, sizeof own);
  for (int i = 0; own[0] && i < MAX_LAUNCHES; i++)
    if (Describe *describe = description(k, i)) {
      describe(&entry);
      name_kernel(k, &entry, other, sizeof other);
      if (other[0])
        mark_locals(k, other, FOREIGN);
    }
  if (own[0])
    mark_locals(k, own, 0);
}

static bool load_object(Kernel *k, const char *path) {
  snprintf(k->path, sizeof k->path, "%s", path);
  k->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!k->handle) {
    fprintf(out, "unloadable\t%s\n", dlerror());
    return false;
  }
  return true;
}

static bool find_kernel(Kernel *k, int launch) {
  Dl_info info;
  Describe *describe = description(k, launch);
  if (!describe)
    return false;
  describe(&k->entry);
  dladdr((void *)describe, &info);
  if (k->n_data == 0) {
    k->code_base = (uintptr_t)info.dli_fbase;
    k->entry.thread_local_anchor[0] = 0;
    dl_iterate_phdr(look_at_object, k);
  }
  find_foreign(k, launch);
  return true;
}

static void shape_shared(Region *r, int space, char *base, size_t size) {
  static Cell *cells[2];
  static u8 *flags[2];
  if (!cells[space]) {
    cells[space] = (Cell *)reserve(sizeof(Cell) * DYNAMIC_LIMIT);
    flags[space] = (u8 *)reserve(DYNAMIC_LIMIT);
  }
  int shift = r->cells && r->base == (uintptr_t)base ? r->shift : 2;
  *r = {(uintptr_t)base, size, cells[space], flags[space], shift, space, 0, 0};
}

/* --- cases --------------------------------------------------------------- */

struct Argument {
  char kind, direction, fill; /* b i r n; i o x; r g b c */
  long long count, value, below;
  double low, high;
  char *initial, *reference;
  size_t bytes;
  u64 scalar[4];
};

struct Case {
  int id, launch, n_args;
  dim3 grid, block;
  size_t smem[MAX_SO];
  Argument args[MAX_ARGS];
};

static char *paths[MAX_SO];
static int n_kernels, n_cases = 1, cases_done;
static double budget_ms = 1500;

static u16 half_of(float f) {
  u32 bits;
  memcpy(&bits, &f, 4);
  u32 sign = bits >> 16 & 0x8000, m = bits & 0x7fffffff;
  if (m >= 0x477ff000)
    return (u16)(sign | 0x7c00);
  if (m < 0x38800000) {
    float scaled = (f < 0 ? -f : f) * 16777216.f;
    return (u16)(sign | (u32)(scaled + .5f));
  }
  return (u16)(sign | (((m + 0xfff + (m >> 13 & 1)) >> 13) - (112u << 10)));
}

static u16 bfloat16_of(float f) {
  u32 bits;
  memcpy(&bits, &f, 4);
  return (u16)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* Writes one number as `size` bytes of a kind. */
static void put_number(char *p, int kind, unsigned size, double real,
                       long long whole) {
  float f = (float)real;
  u16 small;
  switch (kind) {
  case PL_KIND_FLOAT:
    if (size == 8)
      memcpy(p, &real, 8);
    else
      memcpy(p, &f, 4);
    return;
  case PL_KIND_HALF: small = half_of(f); memcpy(p, &small, 2); return;
  case PL_KIND_BFLOAT16: small = bfloat16_of(f); memcpy(p, &small, 2); return;
  case PL_KIND_BOOL: *p = whole != 0; return;
  default: memcpy(p, &whole, size > 8 ? 8 : size); return;
  }
}

static bool is_real(int kind) {
  return kind == PL_KIND_FLOAT || kind == PL_KIND_HALF ||
         kind == PL_KIND_BFLOAT16;
}

static void fill_number(char *p, const Argument *a, int kind, unsigned size,
                        Random *random) {
  double real = random->unit() * 2 - 1;
  long long whole = kind == PL_KIND_BOOL       ? random->below(2)
                    : kind == PL_KIND_UNSIGNED ? random->below(16)
                                               : (int)random->below(16) - 8;
  if (a->fill == 'g') {
    real = a->low + random->unit() * (a->high - a->low);
    whole = (long long)__builtin_floor(real);
  } else if (a->fill == 'b') {
    whole = (long long)(random->next() % (u64)a->below);
    real = (double)whole;
  } else if (a->fill == 'c') {
    real = a->low;
    whole = (long long)real;
  }
  put_number(p, kind, size, real, whole);
}

static void fill_buffer(Argument *a, const pl_param *p, u64 seed) {
  Random random = {seed};
  unsigned lanes = p->lanes, size = p->size / lanes;
  int kind = p->kind;
  if (kind == PL_KIND_OTHER) {
    kind = p->size % 4 == 0 ? PL_KIND_FLOAT : PL_KIND_UNSIGNED;
    size = p->size % 4 == 0 ? 4 : 1;
    lanes = p->size / size;
  }
  for (size_t i = 0; i < (size_t)a->count * lanes; i++)
    fill_number(a->initial + i * size, a, kind, size, &random);
}

static size_t next_slot;

static void place_buffer(int index, size_t bytes) {
  static Cell *cells[MAX_ARGS];
  static size_t room[MAX_ARGS];
  size_t slots = bytes / SLOT + 1;
  Region *r = &buffers[n_buffers];
  for (size_t s = 0; s < slots; s++)
    slot_owner[next_slot + 1 + s] = n_buffers + 1;
  if (room[n_buffers] < bytes + 8) {
    cells[n_buffers] = (Cell *)reserve(sizeof(Cell) * (bytes + 8));
    room[n_buffers] = bytes + 8;
  }
  *r = {(uintptr_t)arena + (next_slot + 1) * SLOT, bytes, cells[n_buffers],
        NULL, 2, SPACE_ARGUMENT, index, 0};
  next_slot += slots + 1;
  n_buffers++;
}

static const char *prepare_argument(Case *c, int i, const pl_param *p) {
  Argument *a = &c->args[i];
  if (a->kind == 'b') {
    if (!p->is_pointer)
      return "the parameter is no pointer";
    a->bytes = (size_t)a->count * p->size;
    if (a->bytes > ((size_t)1 << 29) ||
        next_slot + a->bytes / SLOT + 8 > ARENA / SLOT)
      return "the buffer is too large for the emulator";
    a->initial = (char *)malloc(a->bytes + 1);
    a->reference = (char *)malloc(a->bytes + 1);
    if (a->direction == 'o')
      memset(a->initial, 0xff, a->bytes);
    else
      fill_buffer(a, p, (u64)c->id * 1000 + (u64)i + 17);
    place_buffer(i, a->bytes);
    a->scalar[0] = buffers[n_buffers - 1].base;
  } else if (p->is_pointer) {
    if (a->kind != 'n')
      return "the parameter is a pointer";
  } else if (p->lanes != 1 || p->size > 8 ||
             (p->kind == PL_KIND_OTHER && p->size != 4)) {
    return "a parameter of this type cannot be described";
  } else if (a->kind == 'r' && !is_real(p->kind)) {
    return "the parameter is no floating type";
  } else {
    put_number((char *)a->scalar, p->kind, p->size,
               a->kind == 'r' ? a->low : (double)a->value, a->value);
  }
  return NULL;
}

static bool prepare(Case *c) {
  const pl_kernel *k = &kernels[0].entry;
  memset(slot_owner, 0, (next_slot + 4) * sizeof *slot_owner);
  n_buffers = 0;
  next_slot = 0;
  if (k->n_params != c->n_args) {
    fprintf(out, "undescribed\tthe kernel has %d parameters, the description %d\n",
           k->n_params, c->n_args);
    return false;
  }
  for (int i = 0; i < c->n_args; i++) {
    const char *why = prepare_argument(c, i, &k->params[i]);
    if (why) {
      fprintf(out, "undescribed\targument %d: %s\n", i + 1, why);
      return false;
    }
  }
  return true;
}

static void forget(Case *c) {
  for (int i = 0; i < c->n_args; i++) {
    free(c->args[i].initial);
    free(c->args[i].reference);
  }
}

static void restore(const Case *c, Kernel *k) {
  for (int i = 0; i < c->n_args; i++)
    if (c->args[i].kind == 'b')
      memcpy((void *)c->args[i].scalar[0], c->args[i].initial,
             c->args[i].bytes);
  for (int i = 0; i < k->n_data; i++)
    memcpy(k->data[i].p, k->data[i].saved, k->data[i].n);
}

static void make_order(u16 *order, int how) {
  for (int i = 0; i < n_threads; i++)
    order[i] = (u16)(how == BACKWARD ? n_threads - 1 - i : i);
  for (int i = n_threads - 1; how == SHUFFLED && i > 0; i--) {
    u32 j = schedule_random.below((u32)i + 1);
    u16 t = order[i];
    order[i] = order[j];
    order[j] = t;
  }
}

static void run_grid(const Case *c, const u16 *order, u64 pattern) {
  for (unsigned z = 0; z < c->grid.z; z++)
    for (unsigned y = 0; y < c->grid.y; y++)
      for (unsigned x = 0; x < c->grid.x; x++) {
        blockIdx = {x, y, z};
        run_block(order, pattern);
        given_up = n_findings >= MANY_FINDINGS;
        if (given_up)
          return;
      }
}

static void print_findings() {
  for (int i = 0; i < n_findings; i++) {
    const Finding *f = &findings[i];
    fprintf(out, "finding\t%s\t%x\t%x\t%d\t%d\t%ld\t%d\t%d\n", f->kind, f->code,
           f->other_code, f->space, f->index, f->offset, f->thread,
           f->other_thread);
  }
}

static double now_ms() {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static const u64 POISON[] = {0xffffffffffffffffull, 0x4142c3444546c748ull,
                             0xfbadfeedfbadfeedull, 0x7fc17fc27fc37fc4ull};
/* Not 0: a class's array has a guard beside it, whose first byte says that the
 * compiler's constructors have run. */
static const u64 NEARLY_ZERO = 1;

static void set_up_run(const Case *c, Kernel *k, int so, u64 seed) {
  kernel_now = k;
  blockDim = c->block;
  gridDim = c->grid;
  n_threads = (int)(c->block.x * c->block.y * c->block.z);
  schedule_random.state = seed;
  shape_shared(&static_shared, SPACE_STATIC, k->shared, k->shared_size);
  shape_shared(&dynamic_shared, SPACE_DYNAMIC, pl_dynamic_shared, c->smem[so]);
  n_findings = 0;
  given_up = false;
  twin.n = 0;
  restore(c, k);
}

/* Did the run before read shared memory that nothing had written? */
static bool read_unwritten() {
  for (int i = 0; i < n_findings; i++)
    if (!strcmp(findings[i].kind, "uninitialised"))
      return true;
  return false;
}

/* One run of one kernel; the time it took, and its findings printed. */
static double run(const Case *c, int so, int order_kind, int landing_kind,
                  u64 pattern) {
  static u16 order[MAX_THREADS];
  static void *args[MAX_ARGS];
  u64 seed = (u64)c->id * 64 + (u64)order_kind * 8 + (u64)landing_kind;
  fprintf(out, "run\t%d\t%d\t%d\t%d\n", c->id, so, order_kind, landing_kind);
  fflush(out);
  set_up_run(c, &kernels[so], so, seed);
  landing = landing_kind;
  make_order(order, order_kind);
  for (int i = 0; i < c->n_args; i++)
    args[i] = (void *)c->args[i].scalar;
  call_args = args;
  double start = now_ms();
  set_timer(timeout_seconds);
  if (sigsetjmp(give_up, 1) == 0) {
    running = true;
    run_grid(c, order, pattern);
  }
  running = false;
  forget_copies();
  set_timer(0);
  print_findings();
  return now_ms() - start;
}

static void print_difference(const char *what, int index, const pl_param *p,
                             const char *want, const char *got, size_t at) {
  unsigned size = p->size / p->lanes;
  size_t element = at / size;
  double reals[2] = {0, 0};
  u64 bits[2] = {0, 0};
  const char *sides[2] = {want, got};
  for (int s = 0; s < 2; s++) {
    memcpy(&bits[s], sides[s] + element * size, size > 8 ? 8 : size);
    float f;
    memcpy(&f, &bits[s], 4);
    reals[s] = f;
    if (size == 8)
      memcpy(&reals[s], &bits[s], 8);
  }
  fprintf(out, "%s\t%d\t%zu\t%llx\t%llx", what, index, element,
         (unsigned long long)bits[0], (unsigned long long)bits[1]);
  if (p->kind == PL_KIND_FLOAT)
    fprintf(out, "\t%.9g\t%.9g\n", reals[0], reals[1]);
  else if (p->kind == PL_KIND_SIGNED)
    fprintf(out, "\t%lld\t%lld\n", (long long)(bits[0] << (64 - 8 * size)) >> (64 - 8 * size),
           (long long)(bits[1] << (64 - 8 * size)) >> (64 - 8 * size));
  else
    fprintf(out, "\t0x%llx\t0x%llx\n", (unsigned long long)bits[0],
           (unsigned long long)bits[1]);
}

static void compare(const Case *c, const char *what) {
  for (int i = 0; i < c->n_args; i++) {
    const Argument *a = &c->args[i];
    const char *got = (const char *)a->scalar[0];
    if (a->kind != 'b' || memcmp(a->reference, got, a->bytes) == 0)
      continue;
    size_t at = 0;
    while (a->reference[at] == got[at])
      at++;
    print_difference(what, i, &kernels[0].entry.params[i], a->reference, got,
                     at);
    return;
  }
}

static void keep_reference(Case *c) {
  for (int i = 0; i < c->n_args; i++)
    if (c->args[i].kind == 'b')
      memcpy(c->args[i].reference, (const void *)c->args[i].scalar[0],
             c->args[i].bytes);
}

static const struct {
  int order, landing;
} SCHEDULES[] = {{FORWARD, LATE},  {BACKWARD, EARLY},     {SHUFFLED, SOMETIME},
                 {BACKWARD, LATE}, {SHUFFLED, EARLY}, {FORWARD, SOMETIME}};

/* Schedules for this case: as many as the time allows, the first case all, the
 * others starting where the one before stopped. Shared memory begins with other
 * values from run to run, unless the original reads what it has not written:
 * then with those that it found there. */
static void run_rewritten(const Case *c, int so, double original_ms,
                          bool unwritten) {
  static int next;
  double room = budget_ms / ((original_ms + 0.05) * n_cases);
  int most = copies_seen || cases_done == 0 ? 6 : 3;
  int n = cases_done == 0 ? most : room < 2 ? 2 : room > most ? most : (int)room;
  if (original_ms > 500)
    n = 1;
  for (int i = 0; i < n && endless[so] != c->launch + 1; i++) {
    int s = (next + i) % 6;
    run(c, so, SCHEDULES[s].order, SCHEDULES[s].landing,
        POISON[unwritten ? 0 : (SCHEDULES[s].order + 2 * SCHEDULES[s].landing) & 3]);
    if (!given_up)
      compare(c, "differs");
  }
  if (so == n_kernels - 1)
    next += n;
}

static bool same_signature(const pl_kernel *a, const pl_kernel *b) {
  if (a->n_params != b->n_params)
    return false;
  for (int i = 0; i < a->n_params; i++)
    if (a->params[i].is_pointer != b->params[i].is_pointer ||
        a->params[i].size != b->params[i].size)
      return false;
  return true;
}

/* The original once more, in another order and with other values in shared
 * memory that it has not written. */
static void run_again(const Case *c, u64 poison) {
  if (n_findings >= MANY_FINDINGS || endless[0] == c->launch + 1)
    return;
  run(c, 0, SHUFFLED, LATE, poison);
  if (!given_up)
    compare(c, "nondeterministic");
}

static void run_case(Case *c) {
  fprintf(out, "begin\t%d\n", c->id);
  launch_now = c->launch;
  if (endless[0] == c->launch + 1)
    return;
  if (!find_kernel(&kernels[0], c->launch) || !prepare(c)) {
    forget(c);
    return;
  }
  double ms = run(c, 0, FORWARD, EARLY, POISON[0]);
  bool unwritten = read_unwritten();
  keep_reference(c);
  run_again(c, POISON[1]);
  if (unwritten)
    run_again(c, NEARLY_ZERO);
  for (int so = 1; so < n_kernels && endless[0] != c->launch + 1; so++) {
    if (!kernels[so].handle || !find_kernel(&kernels[so], c->launch))
      continue;
    if (same_signature(&kernels[0].entry, &kernels[so].entry))
      run_rewritten(c, so, ms, unwritten);
    else
      fprintf(out, "signature\t%d\t%d\n", c->id, so);
  }
  cases_done++;
  forget(c);
}

/* --- the plan ------------------------------------------------------------ */

static void add_object(const char *path) {
  Kernel *k = &kernels[n_kernels];
  paths[n_kernels++] = strdup(path);
  if (strcmp(path, "-") != 0) {
    fprintf(out, "load\t%d\n", n_kernels - 1);
    fflush(out);
    load_object(k, path);
  }
}

static void read_argument(Case *c, const char *line) {
  Argument *a = &c->args[c->n_args++];
  memset(a, 0, sizeof *a);
  sscanf(line, "arg %c %c %c %lld %lld %lld %lf %lf", &a->kind, &a->direction,
         &a->fill, &a->count, &a->value, &a->below, &a->low, &a->high);
}

static void read_case(Case *c, const char *line) {
  int used = 0;
  memset(c, 0, sizeof *c);
  sscanf(line, "case %d %d %u %u %u %u %u %u%n", &c->id, &c->launch, &c->grid.x,
         &c->grid.y, &c->grid.z, &c->block.x, &c->block.y, &c->block.z, &used);
  char *at = (char *)line + used;
  for (int i = 0; i < n_kernels; i++)
    c->smem[i] = strtoul(at, &at, 10);
}

static void read_plan(FILE *plan) {
  static Case now;
  static char line[8192];
  while (fgets(line, sizeof line, plan)) {
    line[strcspn(line, "\n")] = 0;
    if (!strncmp(line, "object ", 7))
      add_object(line + 7);
    else if (!strncmp(line, "cases ", 6)) {
      n_cases = atoi(line + 6);
      cases_done = 0;
    } else if (!strncmp(line, "budget ", 7))
      budget_ms = atof(line + 7);
    else if (!strncmp(line, "timeout ", 8))
      timeout_seconds = atoi(line + 8);
    else if (!strncmp(line, "case ", 5))
      read_case(&now, line);
    else if (!strncmp(line, "arg ", 4))
      read_argument(&now, line);
    else if (!strcmp(line, "go"))
      run_case(&now);
  }
}

int main(int argc, char **argv) {
  FILE *plan = argc > 1 ? fopen(argv[1], "r") : NULL;
  if (!plan)
    return 2;
  open_report();
  size_t fence = (size_t)64 << 20;
  char *whole = (char *)reserve(ARENA + 2 * fence);
  mprotect(whole, fence, PROT_NONE);
  mprotect(whole + fence + ARENA, fence, PROT_NONE);
  arena = whole + fence;
  stacks = (char *)reserve((size_t)MAX_THREADS * STACK);
  catch_faults();
  read_plan(plan);
  fprintf(out, "end\n");
  fflush(out);
  _exit(0);
}
