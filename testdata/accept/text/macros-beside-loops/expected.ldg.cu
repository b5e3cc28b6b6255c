// Macros that fill tiles by `do { } while (0)`, one of which declares a name, and macros that stand
// for pragmas above the tile loop and above a loop that copies.
#define T 64
#define PRAGMA(text) _Pragma(#text)
#define UNROLL(n) PRAGMA(unroll n)
#define FILL(k)                                      \
    do {                                             \
        xs[threadIdx.x] = x[(k) * T + threadIdx.x];  \
        ys[threadIdx.x] = y[(k) * T + threadIdx.x];  \
    } while (0)
#define STRIP(dst, src, base)                        \
    do {                                             \
        for (int i = threadIdx.x; i < T; i += 32)    \
            dst[i] = src[(base) + i];                \
    } while (0)
#define SCALED(dst, src, base)                       \
    do {                                             \
        const int at = (base) + threadIdx.x;         \
        dst[threadIdx.x] = src[at] * 0.5f;           \
    } while (0)

// pipelinify: launch products
//   sizes n=0,1,2,5
//   grid  1
//   block 64
//   x:   in  [n * 64 + 64] range(-1, 1)
//   y:   in  [n * 64 + 64] range(-1, 1)
//   out: out [64]
//   n:   n
__global__ void products(const float *__restrict__ x, const float *__restrict__ y,
                         float *__restrict__ out, int n)
{
    __shared__ float xs_stage[2][T], ys_stage[2][T], zs_stage[2][T];
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 5282e90c
    int t = 0, stage = 0;
    if (t < n) {
        xs_stage[0][threadIdx.x] = x[(t) * T + threadIdx.x];
        ys_stage[0][threadIdx.x] = y[(t) * T + threadIdx.x];
        {
            const int at = (t * T) + threadIdx.x;
            zs_stage[0][threadIdx.x] = x[at] * 0.5f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        UNROLL(1)
        for (++t; t < n; ++t) {
            float zs_next;
            float xs_next = x[(t) * T + threadIdx.x];
            float ys_next = y[(t) * T + threadIdx.x];
            {
                const int at = (t * T) + threadIdx.x;
                zs_next = x[at];
            }
            for (int i = 0; i < T; ++i)
                sum += xs_stage[stage][i] * ys_stage[stage][(i + threadIdx.x) % T] -
                       zs_stage[stage][i];
            stage ^= 1;
            xs_stage[stage][threadIdx.x] = xs_next;
            ys_stage[stage][threadIdx.x] = ys_next;
            {
                zs_stage[stage][threadIdx.x] = zs_next * 0.5f;
            }
            __syncthreads();
        }
        for (int i = 0; i < T; ++i)
            sum += xs_stage[stage][i] * ys_stage[stage][(i + threadIdx.x) % T] - zs_stage[stage][i];
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch strips
//   sizes n=0,1,2,5
//   grid  1
//   block 32
//   x:   in  [n * 64 + 64] range(-1, 1)
//   y:   in  [n * 64 + 64] range(-1, 1)
//   out: out [32]
//   n:   n
__global__ void strips(const float *__restrict__ x, const float *__restrict__ y,
                       float *__restrict__ out, int n)
{
    __shared__ float xs_stage[2][T], ys_stage[2][T];
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source b535c95d
    int t = 0, stage = 0;
    if (t < n) {
        for (int i = threadIdx.x; i < T; i += 32)
            xs_stage[0][i] = x[(t * T) + i];
        UNROLL(2)
        for (int i = 0; i < 2; ++i)
            ys_stage[0][i * 32 + threadIdx.x] = y[t * T + i * 32 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float xs_next[T / 32];
            float ys_next[2];
            #pragma unroll
            for (int slot = 0; slot < T / 32; ++slot) {
                int i = (threadIdx.x < 32 ? threadIdx.x : 31) + slot * 32;
                xs_next[slot] = x[(t * T) + i];
            }
            #pragma unroll
            for (int i = 0; i < 2; ++i)
                ys_next[i] = y[t * T + i * 32 + threadIdx.x];
            for (int i = 0; i < T; ++i)
                sum += xs_stage[stage][i] * ys_stage[stage][(i + threadIdx.x) % T];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < T / 32; ++slot) {
                int i = (threadIdx.x < 32 ? threadIdx.x : 31) + slot * 32;
                xs_stage[stage][i] = xs_next[slot];
            }
            #pragma unroll
            for (int i = 0; i < 2; ++i)
                ys_stage[stage][i * 32 + threadIdx.x] = ys_next[i];
            __syncthreads();
        }
        for (int i = 0; i < T; ++i)
            sum += xs_stage[stage][i] * ys_stage[stage][(i + threadIdx.x) % T];
    }
    out[threadIdx.x] = sum;
}
