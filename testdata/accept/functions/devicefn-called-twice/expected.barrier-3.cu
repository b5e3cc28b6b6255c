// The tile loop lives in a static device function inside a namespace; the kernel calls it for two groups of sources.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>

namespace fmm {
namespace detail {

#define P2P_TILE 64

static __device__ float p2p(const float2 *__restrict__ src, int count, float where)
{
    constexpr int stages = 3;
    __shared__ float2 cell_stage[stages][P2P_TILE];
    float phi = 0.0f;
    // pipelinify: barrier, 3 stages, source 25a9a1b9
    // One for each stage: its copies have landed, and all threads are there.
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> landed[stages];
    #pragma nv_diagnostic pop
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        for (int stage = 0; stage < stages; ++stage)
            init(&landed[stage], blockDim.x * blockDim.y * blockDim.z);
    __syncthreads();
    int s_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
        if (s_load < count)
        {
            if (s_load + threadIdx.x < count)
            {
                __pipeline_memcpy_async(&cell_stage[load_stage][threadIdx.x], &src[s_load + threadIdx.x],
                                        sizeof(float2));
            }
            else
            {
                cell_stage[load_stage][threadIdx.x] = make_float2(0.0f, 0.0f);
            }
            __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
            s_load += P2P_TILE;
        }
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int s = 0; s < count; s += P2P_TILE)
    {
        landed[stage].arrive_and_wait();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < P2P_TILE; ++k)
        {
            phi += cell_stage[stage][k].y / (fabsf(cell_stage[stage][k].x - where) + 0.125f);
        }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __syncthreads();
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        for (int stage = 0; stage < stages; ++stage)
            landed[stage].~barrier();
    return phi;
}

}  // namespace detail

// pipelinify: launch fmm::near_field
//   sizes  n=64 left=0,1,64,65,128,192 right=0,64,128,200,320
//   sizes  n=130 left=100 right=100
//   target n=65536 left=8192 right=8192
//   grid   (n + 63) / 64
//   block  64
//   where:  in  [n] random
//   lsrc:   in  [left] random
//   nleft:  left
//   rsrc:   in  [right] random
//   nright: right
//   phi:    out [n]
//   n:      n
__global__ void near_field(const float *where, const float2 *lsrc, int nleft,
                           const float2 *rsrc, int nright, float *phi, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float x = where[i < n ? i : 0];
    const float a = detail::p2p(lsrc, nleft, x);
    const float b = detail::p2p(rsrc, nright, x);
    if (i < n)
    {
        phi[i] = a - b;
    }
}

}  // namespace fmm
