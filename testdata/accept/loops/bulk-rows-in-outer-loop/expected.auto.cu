/* The tile loop stands in a loop over queries: what counts the rows is made once, and goes on from query to query. */
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>

#define KEYS 16
#define DIM 128

// pipelinify: launch best_keys
//   sizes    queries=5 keys=0,1,15,16,17,32,48,50,80
//   sizes    queries=2 keys=112
//   sizes    queries=3,4 keys=48
//   target   queries=4096 keys=4096
//   requires queries > 0
//   grid     2
//   block    128
//   q:       in  [queries * 128]
//   k:       in  [keys * 128]
//   best:    out [queries * 128]
//   queries: queries
//   keys:    keys
__global__ void best_keys(const float *__restrict__ q, const float *__restrict__ k, float *__restrict__ best,
                          int queries, int keys)
{
    __shared__ __align__(16) float rows_stage[2][KEYS][DIM];
    for (int at = blockIdx.x; at < queries; at += gridDim.x)
    {
        float mine = q[at * DIM + threadIdx.x];
        float most = -1e30f;
        // pipelinify: bulk, 2 stages, source 483a9fd4
        // Whether a tile's rows can be copied whole: all is aligned.
        const bool whole = blockDim.x == 128 && (KEYS * DIM) % 128 == 0 && DIM % 128 == 0 && DIM % 4 == 0 &&
                           (size_t)k % 16 == 0 && DIM > 0;
        // Whether 4 neighbouring elements can be one copy: all is aligned.
        const bool joined = blockDim.x == 128 && (KEYS * DIM) % 4 == 0 && DIM % 4 == 0 && (size_t)k % 16 == 0;
        // One for each stage: its copies have landed, and all threads are there.
        #pragma nv_diagnostic push
        #pragma nv_diag_suppress static_var_with_dynamic_init
        __shared__ cuda::barrier<cuda::thread_scope_block> landed[2];
        #pragma nv_diagnostic pop
        if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
            for (int stage = 0; stage < 2; ++stage)
                init(&landed[stage], blockDim.x * blockDim.y * blockDim.z);
        __syncthreads();
        int k0_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage)
        {
            if (k0_load < keys)
            {
                bool full = whole;
                if (full)
                {
                    int i = (KEYS * DIM) - 128;
                    int r = i / DIM;
                    full = full && k0_load + r < keys;
                }
                if (full)
                {
                    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
                    {
                        cuda::device::experimental::fence_proxy_async_shared_cta();
                        for (int i = 0; i < KEYS * DIM; i += 128)
                        {
                            int r = i / DIM;
                            int c = i % DIM;
                            cuda::device::barrier_expect_tx(landed[load_stage], 512);
                            cuda::device::memcpy_async_tx(&rows_stage[load_stage][r][c], &k[(k0_load + r) * DIM + c],
                                                          cuda::aligned_size_t<16>(512), landed[load_stage]);
                        }
                    }
                }
                else
                {
                    if (joined)
                    {
                        for (int i = 4 * threadIdx.x; i < KEYS * DIM; i += 4 * 128)
                        {
                            int r = i / DIM;
                            int c = i % DIM;
                            if (k0_load + r < keys)
                            {
                                __pipeline_memcpy_async(&rows_stage[load_stage][r][c], &k[(k0_load + r) * DIM + c], 16);
                            }
                            else
                            {
                                for (int each = 0; each < 4; ++each)
                                {
                                    (&rows_stage[load_stage][r][c])[each] = 0.0f;
                                }
                            }
                        }
                    }
                    else
                    {
                        for (int i = threadIdx.x; i < KEYS * DIM; i += 128)
                        {
                            int r = i / DIM;
                            int c = i % DIM;
                            if (k0_load + r < keys)
                                __pipeline_memcpy_async(&rows_stage[load_stage][r][c], &k[(k0_load + r) * DIM + c],
                                                        sizeof(float));
                            else
                                rows_stage[load_stage][r][c] = 0.0f;
                        }
                    }
                }
                __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
                k0_load += KEYS;
            }
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int k0 = 0; k0 < keys; k0 += KEYS)
        {
            landed[stage].arrive_and_wait();
            copy_tile(stage ^ 1);
            for (int r = 0; r < KEYS; ++r)
                most = fmaxf(most, mine * rows_stage[stage][r][(threadIdx.x + r) % DIM]);
            stage ^= 1;
        }
        __syncthreads();
        if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
            for (int stage = 0; stage < 2; ++stage)
                landed[stage].~barrier();
        best[at * DIM + threadIdx.x] = most;
    }
}
