// One step of a perceptron a block: what a thread has found is written back by an object that
// the kernel ends with, over the weights that the whole block reads until then.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    __shared__ float seen[WIDTH];
    float *mine = weights + blockIdx.x * WIDTH;
    WriteBack<float> kept(mine + threadIdx.x);

    for (int s = 0; s < n; s += WIDTH) {
        const int i = s + threadIdx.x;
        seen[threadIdx.x] = i < n ? samples[blockIdx.x * n + i] : 0.f;
        __syncthreads();

        float error = 0.f;
        for (int j = 0; j < WIDTH; ++j)
            error += seen[j] * mine[j];
        kept.value -= rate * error * seen[threadIdx.x];
        __syncthreads();
    }
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
    constexpr int stages = 8;
    __shared__ float window_stage[stages][WIDTH];
    __shared__ float table[WIDTH];
    float energy = 0.f;

    energies[blockIdx.x * WIDTH + threadIdx.x] = 0.f;
    // pipelinify: cp.async, 8 stages, source 0b3dc83e
    int s_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (s_load < n) {
            __pipeline_memcpy_async(&window_stage[load_stage][threadIdx.x],
                                    &signal[s_load + threadIdx.x], sizeof(float));
            s_load += WIDTH;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int s = 0; s < n; s += WIDTH) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        for (int j = blockIdx.x; j < WIDTH; j += 2)
            energy += window_stage[stage][j] * window_stage[stage][(j + threadIdx.x) % WIDTH];
        table[threadIdx.x] = energy;
        energies[blockIdx.x * WIDTH + threadIdx.x] = energy;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    TRACE(table)
}
