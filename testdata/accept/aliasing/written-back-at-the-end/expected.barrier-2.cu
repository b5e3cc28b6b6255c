// One step of a perceptron a block: what a thread has found is written back by an object that
// the kernel ends with, over the weights that the whole block reads until then.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#include <cuda/barrier>

constexpr int WIDTH = 64;

// Holds the new value of a cell until the end of its scope.
template <typename T>
struct WriteBack {
    T *cell;
    T value;
    __device__ explicit WriteBack(T *at) : cell(at), value(*at) {}
    __device__ ~WriteBack() { *cell = value; }
};

// pipelinify: launch relax_weights
//   sizes    n=0,1,63,64,65,128,200,320 blocks=1,3
//   target   n=65536 blocks=1024
//   grid     blocks
//   block    WIDTH
//   let      WIDTH = 64
//   samples: in    [n * blocks] range(-1, 1)
//   weights: inout [WIDTH * blocks] range(-1, 1)
//   n:       n
//   rate:    0.03125
__global__ void relax_weights(const float *__restrict__ samples, float *weights, int n, float rate)
{
    __shared__ float seen_stage[2][WIDTH];
    float *mine = weights + blockIdx.x * WIDTH;
    WriteBack<float> kept(mine + threadIdx.x);

    // pipelinify: barrier, 2 stages, source 2611f562
    // One for each stage: its copies have landed, and all threads are there.
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> landed[2];
    #pragma nv_diagnostic pop
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        for (int stage = 0; stage < 2; ++stage)
            init(&landed[stage], blockDim.x * blockDim.y * blockDim.z);
    __syncthreads();
    int s_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (s_load < n) {
            const int i = s_load + threadIdx.x;
            if (i < n) {
                __pipeline_memcpy_async(&seen_stage[load_stage][threadIdx.x],
                                        &samples[blockIdx.x * n + i], sizeof(float));
            } else {
                seen_stage[load_stage][threadIdx.x] = 0.f;
            }
            __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
            s_load += WIDTH;
        }
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int s = 0; s < n; s += WIDTH) {
        landed[stage].arrive_and_wait();
        copy_tile(stage ^ 1);

        float error = 0.f;
        for (int j = 0; j < WIDTH; ++j)
            error += seen_stage[stage][j] * mine[j];
        kept.value -= rate * error * seen_stage[stage][threadIdx.x];
        stage ^= 1;
    }
    __syncthreads();
}

// Other builds print what it is handed, from the first thread.
#ifdef TRACING
#include <stdio.h>
__device__ void print_table(const float *table)
{
    for (int i = 0; i < WIDTH; ++i)
        printf("%d: %g\n", i, table[i]);
}
#define TRACE(table) if (threadIdx.x == 0) print_table(table);
#else
#define TRACE(table)
#endif

// Sums of a signal in windows, the last ones of each thread side by side for TRACE.
// pipelinify: launch window_energies
//   sizes    n=0,64,128,192,320,640
//   target   n=1048576
//   grid     2
//   block    WIDTH
//   let      WIDTH = 64
//   signal:   in  [n] range(-1, 1)
//   energies: out [2 * WIDTH]
//   n:        n
__global__ void window_energies(const float *__restrict__ signal, float *energies, int n)
{
    __shared__ float window_stage[2][WIDTH];
    __shared__ float table[WIDTH];
    float energy = 0.f;

    energies[blockIdx.x * WIDTH + threadIdx.x] = 0.f;
    // pipelinify: barrier, 2 stages, source 0b3dc83e
    // One for each stage: its copies have landed, and all threads are there.
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::barrier<cuda::thread_scope_block> landed[2];
    #pragma nv_diagnostic pop
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        for (int stage = 0; stage < 2; ++stage)
            init(&landed[stage], blockDim.x * blockDim.y * blockDim.z);
    __syncthreads();
    int s_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (s_load < n) {
            __pipeline_memcpy_async(&window_stage[load_stage][threadIdx.x],
                                    &signal[s_load + threadIdx.x], sizeof(float));
            __pipeline_arrive_on(cuda::device::barrier_native_handle(landed[load_stage]));
            s_load += WIDTH;
        }
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int s = 0; s < n; s += WIDTH) {
        landed[stage].arrive_and_wait();
        copy_tile(stage ^ 1);

        for (int j = blockIdx.x; j < WIDTH; j += 2)
            energy += window_stage[stage][j] * window_stage[stage][(j + threadIdx.x) % WIDTH];
        table[threadIdx.x] = energy;
        energies[blockIdx.x * WIDTH + threadIdx.x] = energy;
        stage ^= 1;
    }
    __syncthreads();
    TRACE(table)
}
