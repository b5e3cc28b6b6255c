/* run_state.h - what the parts of runner.cpp share: the kernel at work, its
 * threads, and what is known of each cell of memory. */
#ifndef PL_RUN_STATE_H
#define PL_RUN_STATE_H

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
#define ALWAYS_INLINE inline __attribute__((always_inline))

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;

enum { MANY_FINDINGS = 12 };
enum { MAX_THREADS = 1024, STACK = 256 * 1024, MAX_SO = 64, MAX_ARGS = 64,
       MAX_LAUNCHES = 256, MAX_WARPS = MAX_THREADS / 32 };
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
 * an array of another kernel of the file, or nobody's. */
enum { WRITTEN = 1, IN_FLIGHT = 2, AGAIN = 4, FOREIGN = 8 };
enum { NOBODY = 0, ATOMIC = 0xfffd, MANY = 0xffff, MANY_IN_WARP = 0x8000 };
enum Space { SPACE_STATIC, SPACE_DYNAMIC, SPACE_ARGUMENT };

/* Who was last to write a cell, and who has read it since, each with that thread's
 * clock (of several readers, and atomics, the latest). `at` words hold a code offset and, in the low
 * ten bits, the number of warp synchronisations that the thread's warp had done in
 * this interval. */
struct Cell {
  u32 write_clock, read_clock;
  u32 reading_warps; /* a bit each */
  u32 atomic_warps;  /* writer is ATOMIC: whose */
  u16 writer, reader;
  u32 write_at, read_at;
};

/* One object of a region: the bytes from `from` to `to`. */
struct Part {
  size_t from, to;
  bool foreign;
};

/* What blocks did with a byte of global memory: the first that read it, the last that
 * wrote it, and where; numbers below first_block are of an earlier run. */
struct ByteUse {
  u32 reader, writer, code;
};

/* `parts`: those of static shared memory in their order; of others NULL, which
 * means all of it. */
struct Region {
  uintptr_t base;
  size_t size;
  Cell *cells;
  u8 *flags;
  int shift, space, index;
  int sources_in_flight;
  const Part *parts;
  int n_parts;
  u8 *written; /* of a buffer that begins unwritten, where that is watched */
  ByteUse *uses; /* of a buffer, where that is watched */
};

struct Copy {
  char *dst;
  const char *src;
  u32 n, from_source, group, code;
  u8 landed, done;
  int counter; /* that waits for it, plus 1; 0: none */
  u32 phase;   /* ... which of its phases, that is over, plus 1; 0: it goes on */
  bool is_bulk; /* the asynchronous proxy makes it */
};

/* A barrier in shared memory that counts who comes to it. */
struct Counter {
  const void *at;
  int count;
  u32 phase;
  long long bytes; /* of bulk copies that it awaits */
  u16 maker;       /* who made it, and when */
  u32 clock;
};

enum State { READY, AT_BARRIER, AT_MEETING, AT_PHASE, DONE };

struct Phase;

/* A thread's clock goes on where it arrives at something that others wait for. What a
 * thread of warp w did while its clock was below known[w] happened before now. */
struct Fiber {
  void *sp;
  State state;
  u16 id, warp, lane;
  pl_emu_index index;
  unsigned mask;
  void *deposit;
  void (*finish)(void *const *, unsigned);
  int line, barrier_id, barrier_count, vote, predicate, result;
  bool passes; /* a barrier that is over */
  Copy *copies;
  u32 n_copies, cap_copies, groups;
  u32 clock, known[MAX_WARPS], floor; /* floor: the least of known */
  const Phase *awaited;
  u32 fenced_own, fenced; /* what a proxy fence has been for: its own, and others' */
};

/* Where threads of a block stand: at one line, and how. */
enum Standing { AT_BLOCK_BARRIER = 'b', AT_NAMED_BARRIER = 'n', AT_WARP = 'w',
                HAS_ENDED = 'e', RUNS = 'r' };
struct Group {
  char how;
  int line, count, first, last; /* threads */
};
enum { MANY_GROUPS = 6 };

/* `groups`: of a finding that is about barriers, those of the other threads. */
struct Finding {
  const char *kind;
  u32 code, other_code;
  int space, index;
  long offset;
  int thread, other_thread;
  pl_emu_index block;
  int count; /* of threads that stand where `thread` stands */
  int n_groups;
  Group groups[MANY_GROUPS];
};

struct Kernel {
  void *handle;
  pl_kernel entry;
  uintptr_t code_base;
  char path[4096];
  char *shared;
  size_t shared_size;
  Part *parts;
  int n_parts, cap_parts;
  bool makes_copies; /* that land some time; as far as it was run */
  int foreign_to; /* the launch by which its parts are foreign, plus 1 */
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
static u32 latest = 1; /* no clock has gone further */
static u32 run_began;  /* no clock of this run is as early */

static Fiber fibers[MAX_THREADS];
static char *stacks;
static Fiber *self;
static int n_threads, n_live;
static u32 warp_orders[MAX_WARPS];
static bool running;
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

/* A barrier of the block that fewer threads have passed than there are, since the
 * others had ended; line 0: none. */
static struct {
  int line, ended;
} short_barrier;

/* Bytes whose last writer is wanted. */
static struct {
  uintptr_t from, to; /* none: equal */
  bool found;
  pl_emu_index block;
  int thread;
  u32 code;
} watched;

/* Blocks are numbered through all runs. Ordered: atomics or fences of this run may. */
static u32 block_now, first_block = 1;
static bool blocks_ordered;

/* How far an argument's buffer is reached, where that is asked. */
static bool measuring;
static size_t reached[MAX_ARGS];
static bool zeros; /* integers of which nothing is said are zero */

static void stop_run() {
  running = false;
  given_up = true;
  siglongjmp(give_up, 1);
}

#endif
