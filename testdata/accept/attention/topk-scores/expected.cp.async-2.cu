// Best four candidates of every query, kept sorted by a member function; short last tile bounded by its count.
#include <cuda_runtime.h>
#include <float.h>
#include <cuda_pipeline.h>
template <int K> struct Best {
    float v[K]; int i[K];
    __device__ void clear() { for (int j = 0; j < K; ++j) { v[j] = -FLT_MAX; i[j] = -1; } }
    __device__ void push(float x, int id) {
        if (x <= v[K - 1]) return;
        int p = K - 1;
        while (p > 0 && v[p - 1] < x) { v[p] = v[p - 1]; i[p] = i[p - 1]; --p; }
        v[p] = x; i[p] = id;
    }
};
// pipelinify: launch topk
//   sizes nq=40 nc=0,1,16,17,32,48,50,80
//   target nq=32768 nc=2048
//   grid (nq + 63) / 64
//   block 64
//   q: in [nq * 4]
//   c: in [nc * 4 + 4]
//   ov: out [nq * 4]
//   oi: out [nq * 4]
//   nq: nq
//   nc: nc
__global__ void topk(const float4 *__restrict__ q, const float4 *__restrict__ c, float *__restrict__ ov, int *__restrict__ oi, int nq, int nc)
{
    __shared__ float4 tile_stage[2][16];
    const int t = blockIdx.x * blockDim.x + threadIdx.x;
    Best<4> best;
    best.clear();
    float4 me = t < nq ? q[t] : make_float4(0, 0, 0, 0);
    // pipelinify: cp.async, 2 stages, source 89fa4aab
    int base_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (base_load < nc) {
            const int cnt = min(16, nc - base_load);
            if (threadIdx.x < cnt)
                __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &c[base_load + threadIdx.x], sizeof(float4));
            base_load += 16;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int base = 0; base < nc; base += 16) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        const int cnt = min(16, nc - base);
        for (int j = 0; j < cnt; ++j) {
            const float4 &o = tile_stage[stage][j];
            best.push(me.x * o.x + me.y * o.y + me.z * o.z + me.w * o.w, base + j);
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (t < nq) for (int j = 0; j < 4; ++j) { ov[t * 4 + j] = best.v[j]; oi[t * 4 + j] = best.i[j]; }
}
