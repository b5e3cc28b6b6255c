/* Cooperative groups: groups, tiles, reductions, asynchronous copies. */
#ifndef PL_COOPERATIVE_GROUPS_H
#define PL_COOPERATIVE_GROUPS_H
#pragma GCC system_header
namespace cooperative_groups {
#define PL_GROUP                                                               \
  PL_D void sync() const;                                                      \
  PL_D unsigned long long size() const;                                        \
  PL_D unsigned num_threads() const;                                           \
  PL_D unsigned thread_rank() const;                                           \
  PL_D bool is_valid() const;
#define PL_TILE                                                                \
  PL_GROUP                                                                     \
  template <class T> PL_D T shfl(T, int) const;                                \
  template <class T> PL_D T shfl_up(T, unsigned) const;                        \
  template <class T> PL_D T shfl_down(T, unsigned) const;                      \
  template <class T> PL_D T shfl_xor(T, unsigned) const;                       \
  template <class T> PL_D unsigned match_any(T) const;                         \
  PL_D int any(int) const;                                                     \
  PL_D int all(int) const;                                                     \
  PL_D unsigned ballot(int) const;                                             \
  PL_D unsigned meta_group_rank() const;                                       \
  PL_D unsigned meta_group_size() const;
struct thread_group { PL_GROUP };
struct thread_block : thread_group {
  struct arrival_token {};
  PL_GROUP
  PL_D arrival_token barrier_arrive() const;
  PL_D void barrier_wait(arrival_token &&) const;
  PL_D dim3 group_index() const;
  PL_D dim3 thread_index() const;
  PL_D dim3 group_dim() const;
  PL_D dim3 dim_threads() const;
};
struct grid_group : thread_group {
  PL_GROUP
  PL_D unsigned block_rank() const;
  PL_D unsigned num_blocks() const;
  PL_D dim3 group_dim() const;
};
struct cluster_group : thread_group {
  struct arrival_token {};
  PL_GROUP
  PL_D arrival_token barrier_arrive() const;
  PL_D void barrier_wait() const;
  PL_D void barrier_wait(arrival_token &&) const;
  PL_D unsigned block_rank() const;
  PL_D unsigned num_blocks() const;
  PL_D dim3 block_index() const;
  PL_D dim3 dim_blocks() const;
  template <class T> PL_D T *map_shared_rank(T *, int) const;
};
struct coalesced_group : thread_group { PL_TILE };
template <unsigned N, class Parent = void> struct thread_block_tile
    : thread_group { PL_TILE };
template <unsigned N> struct thread_block_tile<N, void> : thread_group {
  PL_TILE
  thread_block_tile() = default;
  template <class Parent>
  PL_D thread_block_tile(const thread_block_tile<N, Parent> &);
};
#undef PL_GROUP
#undef PL_TILE
PL_D thread_block this_thread_block();
PL_D grid_group this_grid();
PL_D cluster_group this_cluster();
PL_D thread_group this_thread();
PL_D coalesced_group coalesced_threads();
template <unsigned N, class G> PL_D thread_block_tile<N, G> tiled_partition(const G &);
template <class G> PL_D thread_group tiled_partition(const G &, unsigned);
template <class G> PL_D coalesced_group binary_partition(const G &, bool);
template <class G> PL_D coalesced_group labeled_partition(const G &, int);
template <class G> PL_D void sync(const G &);
template <class G> PL_D void wait(const G &);
template <unsigned N, class G> PL_D void wait_prior(const G &);
template <class G, class D, class S>
PL_D void memcpy_async(const G &, D *, const S *, size_t);
template <class G, class D, class S, class Shape>
PL_D void memcpy_async(const G &, D *, const S *, const Shape &);
template <class G, class D, class S>
PL_D void memcpy_async(const G &, D *, size_t, const S *, size_t);
template <class T> struct plus { PL_HD T operator()(T, T) const; };
template <class T> struct less { PL_HD T operator()(T, T) const; };
template <class T> struct greater { PL_HD T operator()(T, T) const; };
template <class T> struct bit_and { PL_HD T operator()(T, T) const; };
template <class T> struct bit_or { PL_HD T operator()(T, T) const; };
template <class T> struct bit_xor { PL_HD T operator()(T, T) const; };
template <class G, class T, class F> PL_D T reduce(const G &, T, F);
template <class G, class T, class F> PL_D T inclusive_scan(const G &, T, F);
template <class G, class T, class F> PL_D T exclusive_scan(const G &, T, F);
template <class G, class T> PL_D T inclusive_scan(const G &, T);
template <class G, class T> PL_D T exclusive_scan(const G &, T);
template <class G, class F> PL_D void invoke_one(const G &, F);
} // namespace cooperative_groups
#endif
