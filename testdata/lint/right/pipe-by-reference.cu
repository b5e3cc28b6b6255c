#include <cuda/pipeline>
// A thread's pipeline that helpers get by reference; the last stages by prior waits.
template <int D> using slots = float[D][96];
template <class P, int D> __device__ void issue(P &p, slots<D> &s, const float *g, int k, int n)
{
    p.producer_acquire();
    if (k < n)
        cuda::memcpy_async(&s[k % D][threadIdx.x], g + k * 96 + threadIdx.x, sizeof(float), p);
    p.producer_commit();
}
__global__ void __launch_bounds__(96) walk(const float *g, float *o, int n)
{
    constexpr int D = 3;
    __shared__ slots<D> s;
    auto p = cuda::make_pipeline();
    issue<decltype(p), D>(p, s, g, 0, n);
    issue<decltype(p), D>(p, s, g, 1, n);
    float a = 0;
    for (int k = 0; k < n; ++k) {
        cuda::pipeline_consumer_wait_prior<1>(p);
        __syncthreads();
        a = a * 0.75f + s[k % D][95 - threadIdx.x];
        p.consumer_release();
        issue<decltype(p), D>(p, s, g, k + 2, n);
    }
    p.quit();
    o[threadIdx.x] = a;
}
void run(const float *g, float *o, int n) { walk<<<1, 96>>>(g, o, n); }
