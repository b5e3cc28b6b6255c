/* pl_pipeline.h - <cuda/pipeline>: pipelines of one thread and of the block.
 *
 * A batch is one group of asynchronous copies; consumer_wait is for the oldest that
 * was not waited for yet. Of a thread's own pipeline nothing knows how many buffers
 * there are: its acquire and release do nothing on a GPU either. All threads of the
 * block take part in the block's, as producers and consumers, or each as one of both.
 * Each of its stages has two barriers, as in libcu++: that at which producers arrive
 * where they commit, and consumers wait, and that at which consumers arrive where they
 * release, and producers wait where they acquire the stage again. Nothing else orders
 * threads: what waits for nobody must be seen to. */
#ifndef PL_PIPELINE_H
#define PL_PIPELINE_H

#include "pl_barrier.h"

namespace cuda {

enum class pipeline_role { producer, consumer };
template <thread_scope S> struct pipeline;
struct pl_stage {
  unsigned long long produced, consumed;
};
template <thread_scope S, unsigned char N> struct pipeline_shared_state {
  pl_stage stages[N];
  unsigned users;
};

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

template <> struct pipeline<thread_scope_block> {
  pl_stage *stages;
  unsigned *users; /* threads that have not left */
  unsigned count, producers, consumers, committed = 0, released = 0;
  bool active = true;
  pipeline(pl_stage *s, unsigned *u, unsigned n, unsigned p, unsigned c)
      : stages(s), users(u), count(n), producers(p), consumers(c) {}
  pipeline(const pipeline &) = delete;
  pipeline(pipeline &&other)
      : stages(other.stages), users(other.users), count(other.count),
        producers(other.producers), consumers(other.consumers),
        committed(other.committed), released(other.released),
        active(other.active) {
    other.active = false;
  }
  PL_EMU_MEMBER ~pipeline() { quit(); }
  PL_EMU_MEMBER void producer_acquire(int line = __builtin_LINE()) {
    if (committed >= count)
      await(&stages[committed % count].consumed, committed / count - 1, line);
  }
  PL_EMU_MEMBER void producer_commit() {
    pl_rt_copy_commit();
    arrive(&stages[committed % count].produced, committed / count, producers, 1);
    committed++;
  }
  PL_EMU_MEMBER void consumer_wait(int line = __builtin_LINE()) {
    await(&stages[released % count].produced, released / count, line);
  }
  PL_EMU_MEMBER void consumer_release() {
    arrive(&stages[released % count].consumed, released / count, consumers, 0);
    released++;
  }
  PL_EMU_MEMBER bool quit() {
    if (!active)
      return false;
    active = false;
    unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    if (producers == threads ? committed != released : committed && released)
      pl_rt_trap("a pipeline ends before all that was committed is waited for, or a "
                 "producer is a consumer");
    return atomicSub(users, 1u) == 1;
  }

private:
  PL_EMU_MEMBER void arrive(unsigned long long *barrier, unsigned phase,
                            unsigned threads, int copies) {
    pl_rt_atomic(barrier, sizeof *barrier);
    pl_rt_arrive(barrier, phase, threads, copies);
  }
  PL_EMU_MEMBER void await(unsigned long long *barrier, unsigned phase, int line) {
    pl_rt_atomic(barrier, sizeof *barrier);
    pl_rt_await(barrier, phase, line);
  }
};

PL_EMU pipeline<thread_scope_thread> make_pipeline() {
  return pipeline<thread_scope_thread>();
}
template <class G, unsigned char N>
PL_EMU pipeline<thread_scope_block>
pl_pipeline_of(const G &group, pipeline_shared_state<thread_scope_block, N> *state,
               unsigned producers, unsigned consumers, int line) {
  unsigned threads = (unsigned)group.size();
  if (threads != blockDim.x * blockDim.y * blockDim.z)
    pl_rt_trap("a pipeline of a part of the block");
  if (!producers || !consumers)
    pl_rt_trap("a pipeline without producers, or without consumers");
  if (group.thread_rank() == 0) {
    pl_rt_write(state, sizeof *state);
    for (pl_stage &stage : state->stages) {
      pl_rt_forget(&stage.produced);
      pl_rt_forget(&stage.consumed);
    }
    state->users = threads;
  }
  pl_rt_barrier(0, 0, line);
  return pipeline<thread_scope_block>(state->stages, &state->users, N, producers,
                                      consumers);
}
struct pl_line { /* a number of producers is none */
  int line;
  explicit pl_line(int l) : line(l) {}
};
template <class G, unsigned char N>
PL_EMU pipeline<thread_scope_block>
make_pipeline(const G &group, pipeline_shared_state<thread_scope_block, N> *state,
              pl_line at = pl_line(__builtin_LINE())) {
  unsigned threads = (unsigned)group.size();
  return pl_pipeline_of(group, state, threads, threads, at.line);
}
template <class G, unsigned char N>
PL_EMU pipeline<thread_scope_block>
make_pipeline(const G &group, pipeline_shared_state<thread_scope_block, N> *state,
              size_t producers, int line = __builtin_LINE()) {
  return pl_pipeline_of(group, state, (unsigned)producers,
                        (unsigned)(group.size() - producers), line);
}
/* Producers are counted. */
template <class G, unsigned char N>
PL_EMU pipeline<thread_scope_block>
make_pipeline(const G &group, pipeline_shared_state<thread_scope_block, N> *state,
              pipeline_role role, int line = __builtin_LINE()) {
  if (group.thread_rank() == 0)
    state->users = 0;
  pl_rt_barrier(0, 0, line);
  if (role == pipeline_role::producer)
    atomicAdd(&state->users, 1u);
  pl_rt_barrier(0, 0, line);
  unsigned producers = state->users;
  pl_rt_barrier(0, 0, line);
  return make_pipeline(group, state, (size_t)producers, line);
}

template <unsigned Prior>
PL_EMU void
pipeline_consumer_wait_prior(pipeline<thread_scope_thread> &pipe) {
  if (pipe.committed - pipe.waited > Prior)
    pipe.waited = pipe.committed - Prior;
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
template <class T, thread_scope S>
PL_EMU void memcpy_async(T *dst, const T *src, size_t size, pipeline<S> &) {
  pl_copy_share(0, 1, dst, src, size);
}
template <class T, size_t N>
PL_EMU void memcpy_async(T *dst, const T *src, aligned_size_t<N> size,
                         pipeline<thread_scope_block> &) {
  pl_check_promise(dst, src, size);
  pl_copy_share(0, 1, dst, src, size);
}
template <class G, class T, class Size, thread_scope S>
PL_EMU void memcpy_async(const G &group, T *dst, const T *src, Size size,
                         pipeline<S> &) {
  pl_check_promise(dst, src, size);
  pl_copy_share((unsigned)group.thread_rank(), (unsigned)group.size(), dst, src,
                size);
}

} // namespace cuda

#endif
