// All-pairs gravity on float4 bodies: 256 threads share tiles of 256 bodies, softened, no guards.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

#define BLOCK_SIZE 256
#define SOFTENING  1e-4f

__device__ __forceinline__ float3 bodyBodyInteraction(float3 ai, float4 bi, float4 bj)
{
    float3 r;
    r.x = bj.x - bi.x;
    r.y = bj.y - bi.y;
    r.z = bj.z - bi.z;
    float distSqr = r.x * r.x + r.y * r.y + r.z * r.z + SOFTENING;
    float inv = rsqrtf(distSqr);
    float s = bj.w * inv * inv * inv;
    ai.x += r.x * s;
    ai.y += r.y * s;
    ai.z += r.z * s;
    return ai;
}

// pipelinify: launch nbodyForces
//   sizes    n=256,512,768,1024,1280 blocks=1
//   sizes    n=512 blocks=2
//   sizes    n=2304 blocks=1
//   target   n=131072 blocks=512
//   requires n % 256 == 0 && blocks * 256 <= n
//   grid     blocks
//   block    256
//   bodies:  in  [n] random
//   accel:   out [n]
//   n:       n
//   work     flops 20 * n * 256 * blocks
//   work     bytes 32 * n
__global__ void nbodyForces(const float4 *bodies, float4 *accel, int n)
{
    __shared__ float4 sharedPos_stage[2][BLOCK_SIZE];

    int i = blockIdx.x * BLOCK_SIZE + threadIdx.x;
    float4 myPos = bodies[i];
    float3 acc = make_float3(0.0f, 0.0f, 0.0f);

    // pipelinify: pipeline-block, 2 stages, source a8335438
#pragma nv_diagnostic push
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
#pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state);
    int tile_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
        pipe.producer_acquire();
        if (tile_load < n / BLOCK_SIZE)
        {
            cuda::memcpy_async(cooperative_groups::this_thread_block(), sharedPos_stage[load_stage],
                               &bodies[tile_load * BLOCK_SIZE], sizeof(float4) * blockDim.x, pipe);
            tile_load++;
        }
        pipe.producer_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int tile = 0; tile < n / BLOCK_SIZE; tile++)
    {
        copy_tile(stage ^ 1);
        pipe.consumer_wait();

#pragma unroll 8
        for (int j = 0; j < BLOCK_SIZE; j++)
            acc = bodyBodyInteraction(acc, myPos, sharedPos_stage[stage][j]);

        pipe.consumer_release();
        stage ^= 1;
    }
    pipe.consumer_wait();
    pipe.consumer_release();

    accel[i] = make_float4(acc.x, acc.y, acc.z, 0.0f);
}

void launchNbody(const float4 *bodies, float4 *accel, int n, cudaStream_t stream)
{
    nbodyForces<<<n / BLOCK_SIZE, BLOCK_SIZE, 0, stream>>>(bodies, accel, n);
}
