// The nearest of k centres for each point of the plane; points, centres and where
// a thread begins come apart by structured bindings.
// pipelinify: launch assign_clusters
//   sizes    n=1,130 k=1,31,32,33,70
//   target   n=1048576 k=1024
//   grid     (n + 63) / 64
//   block    64
//   pts:     in [n] random
//   cent:    in [k] random
//   label:   out [n]
//   n:       n
//   k:       k
#include <cuda_runtime.h>
#include <cfloat>
#include <cuda_pipeline.h>
struct Best { float d; int id; };
__device__ inline Best better(Best a, Best b) { return a.d <= b.d ? a : b; }
struct Place { int lane, row; };
__device__ inline Place place_of(int tid) { return {tid % 32, tid / 32}; }
__global__ void assign_clusters(const float2 *__restrict__ pts, const float2 *__restrict__ cent, int *__restrict__ label, int n, int k)
{
    __shared__ float2 c_stage[2][32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 p = {0.f, 0.f};
    if (i < n) p = pts[i];
    const auto [px, py] = p;
    const auto [lane, row] = place_of(threadIdx.x);
    Best best{FLT_MAX, -1};
    // pipelinify: cp.async, 2 stages, source d5319f7e
    int base_load = 0, stage = 0;
    for (int load_stage = 0; load_stage < 1; ++load_stage) {
        if (base_load < k) {
            const int cnt = min(32, k - base_load);
            if (row == 0 && lane < cnt)
                __pipeline_memcpy_async(&c_stage[load_stage][lane], &cent[base_load + lane], sizeof(float2));
            base_load += 32;
        }
        __pipeline_commit();
    }
    // Main loop: 1 tile is in flight while computing on one.
    for (int base = 0; base < k; base += 32) {
        __pipeline_wait_prior(0);
        __syncthreads();
        if (base_load < k) {
            int load_stage = stage ^ 1;
            const int cnt = min(32, k - base_load);
            if (row == 0 && lane < cnt)
                __pipeline_memcpy_async(&c_stage[load_stage][lane], &cent[base_load + lane], sizeof(float2));
            base_load += 32;
        }
        __pipeline_commit();
        const int cnt = min(32, k - base);
        for (int j = 0; j < cnt; ++j) {
            const auto &[cx, cy] = c_stage[stage][j];
            const float dx = px - cx, dy = py - cy;
            best = better(best, Best{dx * dx + dy * dy, base + j});
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (i < n) label[i] = best.id;
}
