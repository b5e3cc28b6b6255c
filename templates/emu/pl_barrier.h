/* pl_barrier.h - <cuda/barrier>: barriers of the block, and copies that they wait for.
 *
 * The copies that are bound to one, by cuda::memcpy_async, memcpy_async_tx or
 * __pipeline_arrive_on, are in flight until somebody has waited for their phase. */
#ifndef PL_BARRIER_H
#define PL_BARRIER_H

#include "pl_emu.h"

#include <utility>

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

/* Copies a part of the bytes, that of thread `rank` of `threads`, in pieces as wide as
 * both addresses allow; of less than 4 bytes none is asynchronous. */
PL_EMU void pl_copy_share(unsigned rank, unsigned threads, void *dst,
                          const void *src, size_t bytes) {
  size_t both = (size_t)dst | (size_t)src | bytes;
  size_t step = both % 16 == 0 ? 16 : both % 8 == 0 ? 8 : 4;
  if (both % 4 || pl_rt_space(dst) != 1 || pl_rt_space(src) != 2) {
    for (size_t i = rank; i < bytes; i += threads)
      ((char *)dst)[i] = ((const char *)src)[i];
    return;
  }
  for (size_t i = rank * step; i < bytes; i += threads * step)
    pl_rt_copy((char *)dst + i, (const char *)src + i, step, 0);
}

PL_EMU void pl_check_promise(const void *, const void *, size_t) {}
template <size_t N>
PL_EMU void pl_check_promise(const void *dst, const void *src,
                             aligned_size_t<N> n) {
  static_assert(N && !(N & (N - 1)), "an alignment is a power of two");
  if ((size_t)dst % N || (size_t)src % N || n.value % N)
    pl_rt_trap("cuda::memcpy_async: an address is not as aligned as it says");
}

template <thread_scope S> struct barrier;
template <> struct barrier<thread_scope_block> {
  struct arrival_token {
    unsigned phase;
  };
  unsigned long long unused;
  PL_EMU_MEMBER arrival_token arrive(long long n = 1) {
    return arrival_token{pl_rt_counter_arrive(this, n)};
  }
  PL_EMU_MEMBER void wait(arrival_token &&token, int line = __builtin_LINE()) {
    pl_rt_counter_wait(this, token.phase, line);
  }
  PL_EMU_MEMBER void wait_parity(bool parity, int line = __builtin_LINE()) {
    pl_rt_counter_wait(this, pl_rt_counter_phase(this, parity), line);
  }
  PL_EMU_MEMBER void arrive_and_wait(int line = __builtin_LINE()) {
    wait(arrive(), line);
  }
  PL_EMU_MEMBER ~barrier() { pl_rt_counter_end(this); }
};
PL_EMU void init(barrier<thread_scope_block> *at, long long expected) {
  pl_rt_counter_init(at, expected);
}
namespace device {
PL_EMU unsigned long long *barrier_native_handle(barrier<thread_scope_block> &b) {
  return &b.unused;
}
PL_EMU void barrier_expect_tx(barrier<thread_scope_block> &b, long long bytes) {
  pl_rt_counter_expect(&b, bytes);
}
PL_EMU barrier<thread_scope_block>::arrival_token
barrier_arrive_tx(barrier<thread_scope_block> &b, long long n, long long bytes) {
  pl_rt_counter_expect(&b, bytes);
  return b.arrive(n);
}
template <class T, size_t N>
PL_EMU void memcpy_async_tx(T *dst, const T *src, aligned_size_t<N> size,
                            barrier<thread_scope_block> &b) {
  static_assert(N >= 16, "bulk copies are of 16 aligned bytes and more");
  pl_rt_copy_bulk(dst, src, size, &b);
}
namespace experimental {
PL_EMU void fence_proxy_async_shared_cta() { pl_rt_proxy_fence(); }
} // namespace experimental
} // namespace device

template <class T, class Size>
PL_EMU void memcpy_async(T *dst, const T *src, Size size,
                         barrier<thread_scope_block> &by) {
  pl_check_promise(dst, src, size);
  pl_copy_share(0, 1, dst, src, size);
  pl_rt_counter_bind(&by);
}
template <class G, class T, class Size>
PL_EMU void memcpy_async(const G &group, T *dst, const T *src, Size size,
                         barrier<thread_scope_block> &by) {
  pl_check_promise(dst, src, size);
  pl_copy_share((unsigned)group.thread_rank(), (unsigned)group.size(), dst, src,
                size);
  pl_rt_counter_bind(&by);
}

} // namespace cuda

#endif
