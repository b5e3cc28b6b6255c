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
    // pipelinify: ldg, 2 stages, source d5319f7e
    int base = 0, base_tile = base, stage = 0;
    if (base < k) {
        {
            const int cnt = min(32, k - base);
            if (row == 0 && lane < cnt) c_stage[0][lane] = cent[base + lane];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += 32; base < k; base += 32) {
            float2 c_next;
            const int cnt = min(32, k - base);
            if (row == 0 && lane < cnt)
                c_next = cent[base + lane];
            {
                const int cnt = min(32, k - base_tile);
                for (int j = 0; j < cnt; ++j) {
                    const auto &[cx, cy] = c_stage[stage][j];
                    const float dx = px - cx, dy = py - cy;
                    best = better(best, Best{dx * dx + dy * dy, base_tile + j});
                }
                base_tile += 32;
            }
            stage ^= 1;
            if (row == 0 && lane < cnt)
                c_stage[stage][lane] = c_next;
            __syncthreads();
        }
        {
            const int cnt = min(32, k - base_tile);
            for (int j = 0; j < cnt; ++j) {
                const auto &[cx, cy] = c_stage[stage][j];
                const float dx = px - cx, dy = py - cy;
                best = better(best, Best{dx * dx + dy * dy, base_tile + j});
            }
        }
    }
    if (i < n) label[i] = best.id;
}
