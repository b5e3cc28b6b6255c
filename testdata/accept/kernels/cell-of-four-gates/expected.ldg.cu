// A cell of a recurrent net: the input's half and the state's are added up by two
// loops over the same tiles, of which one has the rows of four gates.
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

    // pipelinify: ldg, 2 stages, source 50bf9e8b
    {
        int k0 = 0, stage = 0;
        if (k0 < in) {
            {
                const int k = k0 + threadIdx.x;
                values_stage[0][threadIdx.y][threadIdx.x] = b < batch &&
                                                            k < in ? x[b * in + k] : 0.f;
                for (int g = 0; g < 4; ++g)
                    weights_stage[0][g][threadIdx.y][threadIdx.x] =
                        row < hidden && k < in ? Wx[(g * hidden + row) * in + k] : 0.f;
            }
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k0 += TS; k0 < in; k0 += TS) {
                float weights_next[4];
                const int k = k0 + threadIdx.x;
                float values_next = b < batch && k < in ? x[b * in + k] : 0.f;
                #pragma unroll
                for (int g = 0; g < 4; ++g)
                    weights_next[g] = row < hidden &&
                                      k < in ? Wx[(g * hidden + row) * in + k] : 0.f;
                add(z, values_stage[stage], weights_stage[stage]);
                stage ^= 1;
                values_stage[stage][threadIdx.y][threadIdx.x] = values_next;
                #pragma unroll
                for (int g = 0; g < 4; ++g)
                    weights_stage[stage][g][threadIdx.y][threadIdx.x] = weights_next[g];
                __syncthreads();
            }
            add(z, values_stage[stage], weights_stage[stage]);
            __syncthreads();
        }
    }
    // pipelinify: ldg, 2 stages, source c4ca06b0
    {
        int k0 = 0, stage = 0;
        if (k0 < hidden) {
            {
                const int k = k0 + threadIdx.x;
                values_stage[0][threadIdx.y][threadIdx.x] =
                    b < batch && k < hidden ? h[b * hidden + k] : 0.f;
                for (int g = 0; g < 4; ++g)
                    weights_stage[0][g][threadIdx.y][threadIdx.x] =
                        row < hidden && k < hidden ? Wh[(g * hidden + row) * hidden + k] : 0.f;
            }
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k0 += TS; k0 < hidden; k0 += TS) {
                float weights_next[4];
                const int k = k0 + threadIdx.x;
                float values_next = b < batch && k < hidden ? h[b * hidden + k] : 0.f;
                #pragma unroll
                for (int g = 0; g < 4; ++g)
                    weights_next[g] = row < hidden &&
                                      k < hidden ? Wh[(g * hidden + row) * hidden + k] : 0.f;
                add(z, values_stage[stage], weights_stage[stage]);
                stage ^= 1;
                values_stage[stage][threadIdx.y][threadIdx.x] = values_next;
                #pragma unroll
                for (int g = 0; g < 4; ++g)
                    weights_stage[stage][g][threadIdx.y][threadIdx.x] = weights_next[g];
                __syncthreads();
            }
            add(z, values_stage[stage], weights_stage[stage]);
        }
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
