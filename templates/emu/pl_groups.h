/* pl_groups.h - cooperative groups: the block and tiles of a warp. */
#ifndef PL_GROUPS_H
#define PL_GROUPS_H

#include "pl_barrier.h"

namespace cooperative_groups {

struct thread_block {
  PL_EMU_MEMBER static void sync(int line = __builtin_LINE()) {
    pl_rt_barrier(0, 0, line);
  }
  /* Where it waits a thread arrives as well: what lies between orders nothing. */
  struct arrival_token {};
  PL_EMU_MEMBER static arrival_token barrier_arrive() { return arrival_token(); }
  PL_EMU_MEMBER static void barrier_wait(arrival_token &&, int line = __builtin_LINE()) {
    sync(line);
  }
  PL_EMU_MEMBER static unsigned thread_rank() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  PL_EMU_MEMBER static unsigned size() {
    return blockDim.x * blockDim.y * blockDim.z;
  }
  PL_EMU_MEMBER static unsigned num_threads() { return size(); }
  PL_EMU_MEMBER static dim3 group_index() { return dim3(blockIdx); }
  PL_EMU_MEMBER static dim3 thread_index() { return dim3(threadIdx); }
  PL_EMU_MEMBER static dim3 group_dim() { return blockDim; }
  PL_EMU_MEMBER static dim3 dim_threads() { return blockDim; }
};
typedef thread_block thread_group;

PL_EMU thread_block this_thread_block() { return thread_block(); }
template <class G> PL_EMU void sync(const G &g, int line = __builtin_LINE()) {
  g.sync(line);
}

/* A thread by itself. */
struct pl_one_thread {
  PL_EMU_MEMBER static void sync() {}
  PL_EMU_MEMBER static unsigned thread_rank() { return 0; }
  PL_EMU_MEMBER static unsigned size() { return 1; }
  PL_EMU_MEMBER static unsigned num_threads() { return 1; }
};
PL_EMU pl_one_thread this_thread() { return pl_one_thread(); }

/* The grid as a shape; its barrier needs blocks that run at once. */
struct grid_group {
  PL_EMU_MEMBER static unsigned long long num_blocks() {
    return (unsigned long long)gridDim.x * gridDim.y * gridDim.z;
  }
  PL_EMU_MEMBER static unsigned long long block_rank() {
    return ((unsigned long long)blockIdx.z * gridDim.y + blockIdx.y) *
               gridDim.x + blockIdx.x;
  }
  PL_EMU_MEMBER static unsigned long long size() {
    return num_blocks() * thread_block::size();
  }
  PL_EMU_MEMBER static unsigned long long num_threads() { return size(); }
  PL_EMU_MEMBER static unsigned long long thread_rank() {
    return block_rank() * thread_block::size() + thread_block::thread_rank();
  }
  PL_EMU_MEMBER static dim3 group_dim() { return gridDim; }
  PL_EMU_MEMBER static void sync(int line = __builtin_LINE()) {
    if (num_blocks() > 1)
      pl_rt_trap("grid barrier");
    pl_rt_barrier(0, 0, line);
  }
};
PL_EMU grid_group this_grid() { return grid_group(); }

template <unsigned N, class Parent = void> struct thread_block_tile {
  PL_EMU_MEMBER static unsigned thread_rank() { return pl_rt_lane() & (N - 1); }
  PL_EMU_MEMBER static unsigned size() { return N; }
  PL_EMU_MEMBER static unsigned num_threads() { return N; }
  PL_EMU_MEMBER static unsigned meta_group_rank() {
    return thread_block::thread_rank() / N;
  }
  PL_EMU_MEMBER static unsigned meta_group_size() {
    return (thread_block::size() + N - 1) / N;
  }
  PL_EMU_MEMBER static unsigned mask() {
    return N == 32 ? 0xffffffffu
                   : ((1u << (N & 31)) - 1) << (pl_rt_lane() & ~(N - 1));
  }
  PL_EMU_MEMBER static void sync(int line = __builtin_LINE()) {
    __syncwarp(mask(), line);
  }
  template <class T> PL_EMU_MEMBER static T shfl(T v, int from) {
    return __shfl_sync(mask(), v, from, (int)N);
  }
  template <class T> PL_EMU_MEMBER static T shfl_down(T v, unsigned by) {
    return __shfl_down_sync(mask(), v, by, (int)N);
  }
  template <class T> PL_EMU_MEMBER static T shfl_up(T v, unsigned by) {
    return __shfl_up_sync(mask(), v, by, (int)N);
  }
  template <class T> PL_EMU_MEMBER static T shfl_xor(T v, unsigned by) {
    return __shfl_xor_sync(mask(), v, (int)by, (int)N);
  }
  PL_EMU_MEMBER static unsigned ballot(int p) {
    return (__ballot_sync(mask(), p) & mask()) >> (pl_rt_lane() & ~(N - 1));
  }
  PL_EMU_MEMBER static int any(int p) { return ballot(p) != 0; }
  PL_EMU_MEMBER static int all(int p) { return ballot(!p) == 0; }
};

template <unsigned N, class G>
PL_EMU thread_block_tile<N> tiled_partition(const G &) {
  return thread_block_tile<N>();
}

/* Collective copies: each thread takes every n-th piece, as wide as both
 * addresses allow, and a group's copies are one commit group a thread. */
template <class G, class D, class S, class Size>
PL_EMU void memcpy_async(const G &g, D *dst, const S *src, Size bytes) {
  cuda::pl_check_promise(dst, src, bytes);
  cuda::pl_copy_share((unsigned)g.thread_rank(), (unsigned)g.size(), dst, src,
                      bytes);
  pl_rt_copy_commit();
}
/* So many elements as both sides have. */
template <class G, class T>
PL_EMU void memcpy_async(const G &g, T *dst, size_t there, const T *src,
                         size_t given) {
  cuda::pl_copy_share((unsigned)g.thread_rank(), (unsigned)g.size(), dst, src,
                      sizeof(T) * (there < given ? there : given));
  pl_rt_copy_commit();
}
template <class G> PL_EMU void wait(const G &g, int line = __builtin_LINE()) {
  pl_rt_copy_wait(0);
  g.sync(line);
}
template <unsigned N, class G>
PL_EMU void wait_prior(const G &g, int line = __builtin_LINE()) {
  pl_rt_copy_wait(N);
  g.sync(line);
}

template <class T> struct plus {
  PL_EMU_MEMBER T operator()(T a, T b) const { return a + b; }
};
template <class T> struct greater {
  PL_EMU_MEMBER T operator()(T a, T b) const { return a > b ? a : b; }
};
template <class T> struct less {
  PL_EMU_MEMBER T operator()(T a, T b) const { return a < b ? a : b; }
};
template <unsigned N, class P, class T, class F>
PL_EMU T reduce(const thread_block_tile<N, P> &g, T v, F f) {
  for (unsigned i = N / 2; i; i >>= 1)
    v = f(v, g.shfl_xor(v, i));
  return v;
}

}

#endif
