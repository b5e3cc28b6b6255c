// What was tried and switched off stands between #if 0 and #endif: it goes where its neighbours go.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define T 64

// pipelinify: launch filtered_rows
//   sizes    n=0,1,2,3,4,5,9
//   target   n=4096
//   grid     3
//   block    64
//   x:       in  [n * 64]
//   w:       in  [n * 128]
//   y:       out [3 * 64]
//   n:       n
__global__ void filtered_rows(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n)
{
    constexpr int stages = 8;
    __shared__ __align__(16) float s_stage[stages][T], q_stage[stages][2 * T];
    float sum = 0.f;
    // pipelinify: cp.async, 8 stages, source e137c13f
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == T && (2 * T) % 4 == 0 && (size_t)w % 16 == 0 && T % 4 == 0;
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
#if 0
                    s[threadIdx.x] = __ldg(&x[k * T + threadIdx.x]); // isn't any faster
#endif
            __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x], &x[k_load * T + threadIdx.x], sizeof(float));
            if (joined) {
                for (int i = 4 * threadIdx.x; i < 2 * T; i += 4 * T) {
#if 0
                                /* the old layout
                                #endif */
#ifdef TRANSPOSED
                                q[i] = w[i * n + k];
#else
                                q[2 * T - i] = w[k * 2 * T + i];
#endif
#endif
                    __pipeline_memcpy_async(&q_stage[load_stage][i], &w[k_load * 2 * T + i], 16);
                }
            } else {
                for (int i = threadIdx.x; i < 2 * T; i += T) {
#if 0
                                /* the old layout
                                #endif */
#ifdef TRANSPOSED
                                q[i] = w[i * n + k];
#else
                                q[2 * T - i] = w[k * 2 * T + i];
#endif
#endif
                    __pipeline_memcpy_async(&q_stage[load_stage][i], &w[k_load * 2 * T + i], sizeof(float));
                }
            }
            ++k_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < n; ++k) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
#if 0
        if (threadIdx.x == 0)
            printf("%d: %f\n", k, s[0]);
        __syncthreads();
#endif // tile
        for (int j = 0; j < T; ++j) {
#if 0
            sum += s[j] * q[j];
#endif
            sum += s_stage[stage][j] * q_stage[stage][(j + threadIdx.x) % (2 * T)];
        }
#if 0
                sum *= 0.5f;
#endif
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * T + threadIdx.x] = sum;
}

// pipelinify: launch clipped_sum
//   sizes    n=0,1,63,64,65,128,190,430
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [n]
//   y:       out [64]
//   n:       n
__global__ void clipped_sum(const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int stages = 8;
    __shared__ float s_stage[stages][T];
    float sum = 0.f;
    int k = 0;
    // pipelinify: cp.async, 8 stages, source 41943b48
    int k_load = k, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            if (k_load + (int)threadIdx.x < n) {
                __pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x], &x[
#if 0
                    n - 1 -
#endif
                    k_load + threadIdx.x], sizeof(float));
            } else {
                s_stage[load_stage][threadIdx.x] = 0.f;
            }
#if 0
            k += 2 * T;
#endif
            k_load += T;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    while (k < n) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < T; ++j)
#if 0
        #pragma unroll
#endif
            sum += fminf(s_stage[stage][j], 0.75f) * (float)(j ^ threadIdx.x);
#if 0
        k += 2 * T;
#endif
        k += T;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}
