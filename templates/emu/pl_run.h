/* pl_run.h - what an emulated kernel asks of the program that runs it.
 *
 * A kernel file and this interface are compiled into one shared object; the
 * runner loads it and exports the functions below. Each CUDA thread is a fiber
 * of one OS thread, so none of them needs to be thread-safe. */
#ifndef PL_RUN_H
#define PL_RUN_H

#include "pl_param.h"

#include <stddef.h>
#include <stdint.h>

struct pl_kernel {
  void (*call)(void *const *args);
  int n_params;
  const struct pl_param *params;
  const char *types; /* of the parameters, as the compiler spells them */
  char *thread_local_anchor;
  void (*kernel)(void); /* where it begins */
};

struct pl_emu_index {
  unsigned x, y, z;
};

extern "C" {

/* Block-wide barrier; `vote` 0 none, 1 count, 2 and, 3 or. */
int pl_rt_barrier(int vote, int predicate, int line);

/* A named barrier, `count` threads; 0 means all of the block. */
void pl_rt_named_barrier(int id, int count, int line);

/* A barrier whose arrival and wait come apart, as an mbarrier: phase `number` of an
 * object is over when `threads` have arrived at it. What a thread does ahead of its
 * arrival, with the copies that it has committed where these are waited for, too,
 * comes before what another does behind its wait. */
void pl_rt_arrive(const void *object, unsigned number, unsigned threads, int copies);
void pl_rt_await(const void *object, unsigned number, int line);
void pl_rt_forget(const void *object); /* it is made anew */

/* Waits until every living lane of `mask` has come here with the same `finish`.
 * The last one calls finish(deposits, mask), deposits[lane] being each lane's
 * `mine`, NULL where a lane is not there. */
void pl_rt_meet(unsigned mask, void *mine,
                void (*finish)(void *const *deposits, unsigned mask), int line);

/* Orders memory between the lanes of a warp, as __syncwarp does. */
void pl_rt_warp_order(void);
unsigned pl_rt_live_lanes(void);
unsigned pl_rt_lane(void);

/* Memory that emulator code reads or writes on behalf of the kernel. */
void pl_rt_read(const void *p, size_t n);
/* Ahead of a read by the cache for what the kernel does not change. */
void pl_rt_read_only(const void *p, size_t n);
void pl_rt_write(void *p, size_t n);
void pl_rt_atomic(void *p, size_t n);

/* A fence that other blocks may rely on. */
void pl_rt_fence(void);

/* Asynchronous copies: `n` bytes, the last `zfill` of them zero. */
void pl_rt_copy(void *dst, const void *src, size_t n, size_t zfill);
void pl_rt_copy_commit(void);
void pl_rt_copy_wait(unsigned prior);
void pl_rt_copy_wait_all(void);

/* Barriers that count, by their address in shared memory. Copies that are bound to one have
 * landed for those who have waited for its phase. */
void pl_rt_counter_init(void *at, long long count);
void pl_rt_counter_end(void *at);
/* Bytes of bulk copies that it waits for, and such a copy, by the asynchronous proxy; what
 * the thread does before, made known to that. */
void pl_rt_counter_expect(void *at, long long bytes);
void pl_rt_copy_bulk(void *dst, const void *src, size_t n, void *at);
void pl_rt_proxy_fence(void);
void pl_rt_counter_bind(void *at);
unsigned pl_rt_counter_arrive(void *at, long long n); /* the phase */
unsigned pl_rt_counter_phase(void *at, bool parity); /* the last of that parity */
void pl_rt_counter_wait(void *at, unsigned phase, int line);

/* 32-bit addresses of the shared window, as in PTX. */
unsigned pl_rt_shared_address(const void *p);
void *pl_rt_shared_pointer(unsigned address);
unsigned pl_rt_dynamic_size(void);
int pl_rt_space(const void *p); /* 1 shared, 2 global, 0 neither */

void pl_rt_trap(const char *why) __attribute__((noreturn));
extern char pl_dynamic_shared[];
}

#endif
