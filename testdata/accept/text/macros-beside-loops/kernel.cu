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
    __shared__ float xs[T], ys[T], zs[T];
    float sum = 0.0f;
    UNROLL(1)
    for (int t = 0; t < n; ++t) {
        FILL(t);
        SCALED(zs, x, t * T);
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += xs[i] * ys[(i + threadIdx.x) % T] - zs[i];
        __syncthreads();
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
    __shared__ float xs[T], ys[T];
    float sum = 0.0f;
    for (int t = 0; t < n; ++t) {
        STRIP(xs, x, t * T);
        UNROLL(2)
        for (int i = 0; i < 2; ++i)
            ys[i * 32 + threadIdx.x] = y[t * T + i * 32 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += xs[i] * ys[(i + threadIdx.x) % T];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
