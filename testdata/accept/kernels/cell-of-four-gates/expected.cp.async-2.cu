// A cell of a recurrent net: the input's half and the state's are added up by two
// loops over the same tiles, of which one has the rows of four gates.
#include <cuda_pipeline.h>

#define TS 16

struct Gates {
    float i, f, g, o;
};

__device__ __forceinline__ float sigmoid(float x) { return 1.f / (1.f + expf(-x)); }

__device__ __forceinline__ void add(Gates &z, const float (&v)[TS][TS + 1],
                                    const float (&w)[4][TS][TS + 1])
{
    for (int k = 0; k < TS; ++k) {
        const float x = v[threadIdx.y][k];
        z.i += x * w[0][threadIdx.x][k];
        z.f += x * w[1][threadIdx.x][k];
        z.g += x * w[2][threadIdx.x][k];
        z.o += x * w[3][threadIdx.x][k];
    }
}

__global__ void cell(const float *__restrict__ x, const float *__restrict__ h,
                     const float *__restrict__ c, const float *__restrict__ Wx,
                     const float *__restrict__ Wh, float *__restrict__ h_next,
                     float *__restrict__ c_next, int batch, int in, int hidden)
{
    __shared__ float values_stage[2][TS][TS + 1];
    __shared__ float weights_stage[2][4][TS][TS + 1];
    const int b = blockIdx.y * TS + threadIdx.y;
    const int unit = blockIdx.x * TS + threadIdx.x;
    const int row = blockIdx.x * TS + threadIdx.y;
    Gates z = {0.f, 0.f, 0.f, 0.f};

    // pipelinify: cp.async, 2 stages, source 50bf9e8b
    {
        int k0_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k0_load < in) {
                const int k = k0_load + threadIdx.x;
                __pipeline_memcpy_async(&values_stage[load_stage][threadIdx.y][threadIdx.x],
                                        &x[b * in + k], sizeof(float),
                                        (b < batch && k < in) ? 0 : sizeof(float));
                for (int g = 0; g < 4; ++g)
                    __pipeline_memcpy_async(&weights_stage[load_stage][g][threadIdx.y][threadIdx.x],
                                            &Wx[(g * hidden + row) * in + k], sizeof(float),
                                            (row < hidden && k < in) ? 0 : sizeof(float));
                k0_load += TS;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int k0 = 0; k0 < in; k0 += TS) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            add(z, values_stage[stage], weights_stage[stage]);
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
    }
    // pipelinify: cp.async, 2 stages, source c4ca06b0
    {
        int k0_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k0_load < hidden) {
                const int k = k0_load + threadIdx.x;
                __pipeline_memcpy_async(&values_stage[load_stage][threadIdx.y][threadIdx.x],
                                        &h[b * hidden + k], sizeof(float),
                                        (b < batch && k < hidden) ? 0 : sizeof(float));
                for (int g = 0; g < 4; ++g)
                    __pipeline_memcpy_async(&weights_stage[load_stage][g][threadIdx.y][threadIdx.x],
                                            &Wh[(g * hidden + row) * hidden + k], sizeof(float),
                                            (row < hidden && k < hidden) ? 0 : sizeof(float));
                k0_load += TS;
            }
            __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int k0 = 0; k0 < hidden; k0 += TS) {
            __pipeline_wait_prior(0);
            __syncthreads();
            copy_tile(stage ^ 1);
            add(z, values_stage[stage], weights_stage[stage]);
            stage ^= 1;
        }
        __pipeline_wait_prior(0);
    }
    if (b < batch && unit < hidden) {
        const float next =
            sigmoid(z.f) * c[b * hidden + unit] + sigmoid(z.i) * tanhf(z.g);
        c_next[b * hidden + unit] = next;
        h_next[b * hidden + unit] = sigmoid(z.o) * tanhf(next);
    }
}

// pipelinify: launch cell
//   sizes    b=5 in=0,3,16,40,96,83 hidden=16,17,33,80,112
//   target   b=512 in=1024 hidden=1024
//   grid     (hidden + 15) / 16, (b + 15) / 16
//   block    16, 16
//   x:       in  [b * in]
//   h:       in  [b * hidden]
//   c:       in  [b * hidden]
//   Wx:      in  [4 * hidden * in]
//   Wh:      in  [4 * hidden * hidden]
//   h_next:  out [b * hidden]
//   c_next:  out [b * hidden]
//   batch:   b
//   in:      in
//   hidden:  hidden
