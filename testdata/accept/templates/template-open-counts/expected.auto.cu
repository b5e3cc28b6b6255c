#include <cuda_pipeline.h>

// Two row-major panels against each other. Only the launch descriptions say what BM and BK are; the bodies are
// device functions, one of them with the block size of a kernel's launch bounds.
template <int BM, int BK, typename T>
__device__ T row_products(const T *a, const T *b, int n)
{
    constexpr int stages = 8;
    __shared__ T as_stage[stages][BM][BK];
    __shared__ T bs_stage[stages][BM][BK];
    const int ty = threadIdx.y;
    const int tx = threadIdx.x;
    T acc = 0;
    // pipelinify: cp.async, 8 stages, source 0e9a9430
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                  alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < n) {
            for (int r = ty; r < BM; r += 8) {
                for (int c = tx; c < BK; c += 8) {
                    if (k0_load + c < n) {
                        __pipeline_memcpy_async(&as_stage[load_stage][r][c], &a[r * n + k0_load + c], sizeof(T));
                    } else {
                        as_stage[load_stage][r][c] = 0;
                    }
                }
            }
            for (int r = ty; r < BM; r += blockDim.y) {
                for (int c = tx; c < BK; c += blockDim.x) {
                    if (k0_load + c < n) {
                        __pipeline_memcpy_async(&bs_stage[load_stage][r][c], &b[r * n + k0_load + c], sizeof(T));
                    } else {
                        bs_stage[load_stage][r][c] = 0;
                    }
                }
            }
            k0_load += BK;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < n; k0 += BK) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < BK; ++k)
            acc += as_stage[stage][ty][k] * bs_stage[stage][tx][k];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    return acc;
}

// pipelinify: launch panels<8, 16>
//   sizes  n=0,5,16,20,32,48,64,80
//   target n=32768
//   grid   1
//   block  8, 8
//   a: in  [8 * n]
//   b: in  [8 * n]
//   y: out [64]
//   n: n
template <int BM, int BK>
__global__ void panels(const float *a, const float *b, float *y, int n)
{
    y[threadIdx.y * BM + threadIdx.x] = row_products<BM, BK>(a, b, n);
}

static __device__ void weigh(const float *x, float *y, int n)
{
    constexpr int stages = 8;
    __shared__ float s_stage[stages][256];
    const int tid = threadIdx.x;
    float acc = 0.0f;
    // pipelinify: cp.async, 8 stages, source fd015fc6
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < n) {
            for (int i = tid; i < 256; i += blockDim.x)
                __pipeline_memcpy_async(&s_stage[load_stage][i], &x[k0_load + i], sizeof(float),
                                        (k0_load + i < n) ? 0 : sizeof(float));
            k0_load += 256;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < n; k0 += 256) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < 256; ++k)
            acc += s_stage[stage][k] * (tid + 1);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    y[blockIdx.x * 64 + tid] = acc;
}

// pipelinify: launch sweep
//   sizes  n=0,100,256,512,768,1000,1280
//   target n=262144
//   grid   2
//   block  64
//   x: in  [n]
//   y: out [128]
//   n: n
__global__ void __launch_bounds__(64) sweep(const float *x, float *y, int n)
{
    weigh(x, y, n);
}
