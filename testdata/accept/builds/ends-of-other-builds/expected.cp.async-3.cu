// What the kernels do behind the loop is for a build to say. In one it goes through
// shared memory that the loop's compute reads, so that the last barrier has to stay in
// the text for all of them.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define THREADS 128

#ifdef FOLD_PAIRS
#define FOLD(sum) \
    do { \
        weight[t] = (sum); \
        __syncthreads(); \
        (sum) += weight[t ^ 1]; \
    } while (0)
#else
#define FOLD(sum) (void)(sum)
#endif

// pipelinify: launch weighted_columns
//   sizes   n=0,1,2,3,5,8
//   target  n=65536
//   grid    2
//   block   THREADS
//   let     THREADS = 128
//   x:      in  [2 * n * THREADS] range(-1, 1)
//   w:      in  [THREADS] range(-1, 1)
//   y:      out [2 * THREADS]
//   n:      n
__global__ void __launch_bounds__(THREADS)
weighted_columns(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ float tile_stage[stages][THREADS];
    __shared__ float weight[THREADS];
    const int t = threadIdx.x;
    const float *row = x + (size_t)blockIdx.x * n * THREADS;
    float sum = 0.f;
    weight[t] = w[t];
    // pipelinify: cp.async, 3 stages, source 49de63d1
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][t], &row[k_load * THREADS + t], sizeof(float));
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
        for (int j = 0; j < THREADS; ++j)
            sum = fmaf(tile_stage[stage][j], weight[(j + t) % THREADS], sum);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    FOLD(sum);
    y[blockIdx.x * THREADS + t] = sum;
}

__device__ __forceinline__ float shared_maximum(float *scratch, float value, int t)
{
#ifdef MAXIMUM_OF_PAIRS
    scratch[t] = value;
    __syncthreads();
    value = fmaxf(value, scratch[t ^ 1]);
#endif
    return value;
}

// pipelinify: launch shifted_maxima
//   sizes   n=0,1,2,3,5,8
//   target  n=65536
//   grid    2
//   block   THREADS
//   let     THREADS = 128
//   x:      in  [2 * n * THREADS] range(-1, 1)
//   shift:  in  [THREADS] range(-1, 1)
//   y:      out [2 * THREADS]
//   n:      n
__global__ void __launch_bounds__(THREADS)
shifted_maxima(const float *__restrict__ x, const float *__restrict__ shift, float *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ float tile_stage[stages][THREADS];
    __shared__ float by[THREADS];
    const int t = threadIdx.x;
    const float *row = x + (size_t)blockIdx.x * n * THREADS;
    float most = -3.4e38f;
    by[t] = shift[t];
    // pipelinify: cp.async, 3 stages, source ef818f79
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            __pipeline_memcpy_async(&tile_stage[load_stage][t], &row[k_load * THREADS + t], sizeof(float));
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
        for (int j = 0; j < THREADS; ++j)
            most = fmaxf(most, tile_stage[stage][j] + by[(j + t) % THREADS]);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    most = shared_maximum(by, most, t);
    y[blockIdx.x * THREADS + t] = most;
}
