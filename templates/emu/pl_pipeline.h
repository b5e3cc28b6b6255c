/* pl_pipeline.h - <cuda/pipeline>: the pipeline of one thread.
 *
 * A batch is one group of asynchronous copies; consumer_wait is for the oldest that
 * was not waited for yet. Nothing here knows how many buffers there are: acquire
 * and release of a thread's own pipeline do nothing on a GPU either. */
#ifndef PL_PIPELINE_H
#define PL_PIPELINE_H

#include "pl_emu.h"

namespace cuda {

enum thread_scope {
  thread_scope_system,
  thread_scope_device,
  thread_scope_block,
  thread_scope_thread
};

template <size_t N> struct aligned_size_t {
  static constexpr size_t align = N;
  size_t value;
  PL_EMU_MEMBER explicit constexpr aligned_size_t(size_t n) : value(n) {}
  PL_EMU_MEMBER constexpr operator size_t() const { return value; }
};

template <thread_scope S> struct pipeline;

template <> struct pipeline<thread_scope_thread> {
  unsigned committed = 0, waited = 0;
  pipeline() = default;
  pipeline(const pipeline &) = delete;
  pipeline(pipeline &&) = default;
  PL_EMU_MEMBER void producer_acquire() {}
  PL_EMU_MEMBER void producer_commit() {
    pl_rt_copy_commit();
    committed++;
  }
  PL_EMU_MEMBER void consumer_wait() {
    if (waited == committed)
      return;
    waited++;
    pl_rt_copy_wait(committed - waited);
  }
  PL_EMU_MEMBER void consumer_release() {}
  PL_EMU_MEMBER bool quit() { return true; }
};

PL_EMU pipeline<thread_scope_thread> make_pipeline() {
  return pipeline<thread_scope_thread>();
}

template <unsigned Prior>
PL_EMU void
pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &pipe) {
  (void)pipe;
  pl_rt_copy_wait(Prior);
}

/* Whole copies of 4, 8 or 16 bytes, aligned so, are asynchronous; others are made
 * at once. */
template <size_t N>
PL_EMU void memcpy_async(void *dst, const void *src, aligned_size_t<N> size,
                         pipeline<thread_scope_thread> &pipe) {
  constexpr size_t step = N >= 16 ? 16 : N;
  (void)pipe;
  static_assert(N && !(N & (N - 1)), "an alignment is a power of two");
  if ((size_t)dst % N || (size_t)src % N)
    pl_rt_trap("cuda::memcpy_async: an address is not as aligned as it says");
  if (step < 4 || size % step || pl_rt_space(dst) != 1 || pl_rt_space(src) != 2) {
    for (size_t i = 0; i < size; i++)
      ((char *)dst)[i] = ((const char *)src)[i];
    return;
  }
  for (size_t i = 0; i < size; i += step)
    pl_rt_copy((char *)dst + i, (const char *)src + i, step, 0);
}

} // namespace cuda

#endif
