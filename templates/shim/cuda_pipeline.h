/* The primitives of asynchronous copies and of barriers in shared memory. Apart
 * from cuda::pipeline's and without the C++ library: what the rewriter includes
 * is read with every text that it writes. */
#ifndef PL_CUDA_PIPELINE_H
#define PL_CUDA_PIPELINE_H
#pragma GCC system_header
typedef unsigned long long __mbarrier_t;
PL_D void __mbarrier_init(__mbarrier_t *, unsigned);
PL_D unsigned long long __mbarrier_arrive(__mbarrier_t *);
PL_D bool __mbarrier_test_wait(__mbarrier_t *, unsigned long long);
PL_D void __pipeline_memcpy_async(void *, const void *, size_t, size_t = 0);
PL_D void __pipeline_commit();
PL_D void __pipeline_wait_prior(size_t);
PL_D void __pipeline_arrive_on(__mbarrier_t *);
namespace nvcuda {
namespace experimental {
struct pipeline {
  PL_D size_t commit(); PL_D void commit_and_wait(); PL_D void wait(size_t);
  template <unsigned N> PL_D void wait_prior();
};
template <class T> PL_D void memcpy_async(T &, const T &, pipeline &);
}
} // namespace nvcuda
#endif
