// Tiles that load themselves, and keep what another iteration, or none, has put there: a scale, old cells, a place that moves.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

struct Scaled {
    float data[64];
    float scale;

    __device__ void set(float s) { if (threadIdx.x == 0) scale = s; }
    __device__ void load(const float *g) { data[threadIdx.x] = g[threadIdx.x]; }

    __device__ void load_async(const float *g) {
        __pipeline_memcpy_async(&data[threadIdx.x], &g[threadIdx.x], sizeof(float));
    }

    __device__ auto load_fetch(const float *g) {
        float data_next = g[threadIdx.x];
        return data_next;
    }

    __device__ void load_store(float data_next) {
        data[threadIdx.x] = data_next;
    }
    __device__ void load_left(const float *g, int left) { if ((int)threadIdx.x < left) data[threadIdx.x] = g[threadIdx.x]; }

    __device__ auto load_left_fetch(const float *g, int left) {
        struct {
            float data_next;
        } next;
        if ((int)threadIdx.x < left)
            next.data_next = g[threadIdx.x];
        return next;
    }

    template <typename Registers>
    __device__ void load_left_store(int left, const Registers &next) {
        if ((int)threadIdx.x < left)
            data[threadIdx.x] = next.data_next;
    }
    __device__ void load_at(const float *g, int at) { data[(threadIdx.x + at) % 64] = g[threadIdx.x]; }

    __device__ auto load_at_fetch(const float *g) {
        float data_next = g[threadIdx.x];
        return data_next;
    }

    __device__ void load_at_store(int at, float data_next) {
        data[(threadIdx.x + at) % 64] = data_next;
    }
};

// pipelinify: launch scaled
//   sizes    n=0,1,2,3,8
//   grid     1
//   block    64
//   a:       in  [n * 64] random
//   out:     out [64]
//   n:       n
__global__ void __launch_bounds__(64) scaled(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ Scaled s;
    float sum = 0;
    s.set(0.5f);
    // pipelinify: ldg-single, 1 stage, source 82a38c2e
    int i = 0;
    if (i < n) {
        s.load(a + i * 64);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++i; i < n; ++i) {
            auto s_next = s.load_fetch(a + i * 64);
            for (int j = 0; j < 64; ++j)
                sum += s.data[j] * s.scale * (j ^ threadIdx.x);
            __syncthreads();
            s.load_store(s_next);
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum += s.data[j] * s.scale * (j ^ threadIdx.x);
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch ragged
//   sizes    n=64,65,127,130,300
//   grid     1
//   block    64
//   a:       in  [n] random
//   out:     out [64]
//   n:       n
__global__ void __launch_bounds__(64) ragged(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ Scaled s;
    float sum = 0;
    // pipelinify: ldg-single, 1 stage, source 3d59203f
    int i = 0;
    if (i < n) {
        s.load_left(a + i, n - i);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += 64; i < n; i += 64) {
            auto s_next = s.load_left_fetch(a + i, n - i);
            for (int j = 0; j < 64; ++j)
                sum += s.data[j] * (j ^ threadIdx.x);
            __syncthreads();
            s.load_left_store(n - i, s_next);
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum += s.data[j] * (j ^ threadIdx.x);
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch moving
//   sizes    n=0,1,2,3,8
//   grid     1
//   block    64
//   a:       in  [n * 64] random
//   out:     out [64]
//   n:       n
__global__ void __launch_bounds__(64) moving(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ Scaled s;
    float sum = 0;
    // pipelinify: ldg-single, 1 stage, source bc8a6c8a
    int i = 0;
    if (i < n) {
        s.load_at(a + i * 64, i);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++i; i < n; ++i) {
            auto s_next = s.load_at_fetch(a + i * 64);
            for (int j = 0; j < 64; ++j)
                sum += s.data[j] * (j ^ threadIdx.x);
            __syncthreads();
            s.load_at_store(i, s_next);
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum += s.data[j] * (j ^ threadIdx.x);
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch faded
//   sizes    n=0,1,2,3,8,9
//   grid     1
//   block    64
//   a:       in  [n * 64] random
//   out:     out [64]
//   n:       n
__global__ void __launch_bounds__(64) faded(const float *__restrict__ a, float *__restrict__ out, int n)
{
    constexpr int stages = 4;
    __shared__ Scaled s_stage[stages];
    float sum = 0;
    int stage = 0;
    // pipelinify: cp.async, 4 stages, source 8bc9264d
    int i_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (i_load < n) {
            s_stage[load_stage].load_async(a + i_load * 64);
            ++i_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int i = 0; i < n; ++i) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage].data[j] * (j ^ threadIdx.x);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    // Back to the stage of the last tile.
    stage = stage == 0 ? stages - 1 : stage - 1;
    __syncthreads();
    out[threadIdx.x] = sum + (n ? s_stage[stage].data[63 - threadIdx.x] : 0.0f);
}
