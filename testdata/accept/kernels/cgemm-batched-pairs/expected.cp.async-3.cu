#include <cuComplex.h>
#include <cuda_pipeline.h>
// strided-batched cgemm, k known to be positive
#define NB 16
// pipelinify: launch cgemm_batched
//   sizes  m=16,20 n=16 k=1,16,17,40,64,80,96 batch=1,2,3
//   target m=256 n=256 k=256 batch=64
//   grid   (m + 15) / 16, (n + 15) / 16, 2
//   block  16, 16
//   a: in [m * k * batch]
//   b: in [k * n * batch]
//   c: out [m * n * batch]
//   m: m
//   n: n
//   k: k
//   batch: batch
__global__ void cgemm_batched(const cuFloatComplex *a, const cuFloatComplex *b,
                              cuFloatComplex *__restrict__ c, int m, int n, int k, int batch)
{
    constexpr int stages = 3;
    __shared__ cuFloatComplex sa_stage[stages][NB][NB], sb_stage[stages][NB][NB + 1];
    const int i = blockIdx.x * NB + threadIdx.y, j = blockIdx.y * NB + threadIdx.x;

    for (int z = blockIdx.z; z < batch; z += gridDim.z) {
        const cuFloatComplex *pa = a + (long)z * m * k + (long)i * k + threadIdx.x;
        const cuFloatComplex *pb = b + (long)z * k * n + (long)threadIdx.y * n + j;
        cuFloatComplex sum = make_cuFloatComplex(0.f, 0.f);
        int left = k;
        // pipelinify: cp.async, 3 stages, source cdd15e93
        int left_load = left, stage = 0;
        bool more = true;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (more) {
                __pipeline_memcpy_async(&sa_stage[load_stage][threadIdx.y][threadIdx.x], pa, sizeof(cuFloatComplex),
                                        (i < m && (int)threadIdx.x < left_load) ? 0 : sizeof(cuFloatComplex));
                __pipeline_memcpy_async(&sb_stage[load_stage][threadIdx.y][threadIdx.x], pb, sizeof(cuFloatComplex),
                                        (j < n && (int)threadIdx.y < left_load) ? 0 : sizeof(cuFloatComplex));
                pa += NB;
                pb += NB * n;
                left_load -= NB;
                more = left_load > 0;
            }
            __pipeline_commit();
        };
        for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
            copy_tile(load_stage);
        // Main loop: stages - 1 tiles are in flight while computing on one.
        do {
            __pipeline_wait_prior(stages - 2);
            __syncthreads();
            copy_tile(stage == 0 ? stages - 1 : stage - 1);
            #pragma unroll
            for (int l = 0; l < NB; l++)
                sum = cuCfmaf(sa_stage[stage][threadIdx.y][l], sb_stage[stage][l][threadIdx.x], sum);
            left -= NB;
            stage = stage == stages - 1 ? 0 : stage + 1;
        } while (left > 0);
        __pipeline_wait_prior(0);
        __syncthreads();
        if (i < m && j < n) c[((long)z * m + i) * n + j] = sum;
    }
}
