// The tile loop lives in a static device function inside a namespace; the kernel calls it for two groups of sources.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace fmm {
namespace detail {

#define P2P_TILE 64

static __device__ float p2p(const float2 *__restrict__ src, int count, float where)
{
    __shared__ float2 cell_stage[2][P2P_TILE];
    float phi = 0.0f;
    // pipelinify: pipeline-unified, 2 stages, source 25a9a1b9
    __syncthreads();
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state);
    int s_load = 0, stage = 0;
    int load_stage = 0, begun = 0;
    for (int s = 0; s < count; s += P2P_TILE)
    {
        // Fetch loop: starts to copy to all stages that are free.
        for (; begun < 2; ++begun)
        {
            pipe.producer_acquire();
            if (s_load < count)
            {
                if (s_load + threadIdx.x < count)
                {
                    cuda::memcpy_async(&cell_stage[load_stage][threadIdx.x], &src[s_load + threadIdx.x],
                                       cuda::aligned_size_t<sizeof(float2)>(sizeof(float2)), pipe);
                }
                else
                {
                    cell_stage[load_stage][threadIdx.x] = make_float2(0.0f, 0.0f);
                }
                s_load += P2P_TILE;
            }
            pipe.producer_commit();
            load_stage ^= 1;
        }
        pipe.consumer_wait();
        for (int k = 0; k < P2P_TILE; ++k)
        {
            phi += cell_stage[stage][k].y / (fabsf(cell_stage[stage][k].x - where) + 0.125f);
        }
        pipe.consumer_release();
        stage ^= 1;
        --begun;
    }
    for (; begun > 0; --begun)
    {
        pipe.consumer_wait();
        pipe.consumer_release();
    }
    __syncthreads();
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
