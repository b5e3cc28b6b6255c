// How many tiles there are is said by numbers of the file: nothing asks for the first. Where a build
// may say another number, or the launch does, it is asked for.
constexpr int DEPTH = 96;
constexpr int TK = 32;
#define ROUNDS 5
#ifndef STEPS
#define STEPS 3
#endif

// pipelinify: launch by_constants
//   sizes n=32,64
//   grid  n / 32
//   block 32, 4
//   a:   in  [n * 96] range(-1, 1)
//   b:   in  [96 * 32] range(-1, 1)
//   out: out [n * 4]
__global__ void by_constants(const float *__restrict__ a, const float *__restrict__ b,
                             float *__restrict__ out)
{
    __shared__ float as[TK], bs[TK][TK];
    const int x = threadIdx.x, y = threadIdx.y;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 8d510ca6
    int k0 = 0;
    if (y == 0)
        as[x] = a[blockIdx.x * DEPTH + k0 + x];
    for (int r = y; r < TK; r += 4)
        bs[r][x] = b[(k0 + r) * 32 + x];
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (k0 += TK; k0 < DEPTH; k0 += TK) {
        float as_next;
        float bs_next[TK / 4];
        if (y == 0)
            as_next = a[blockIdx.x * DEPTH + k0 + x];
        #pragma unroll
        for (int slot = 0; slot < TK / 4; ++slot) {
            int r = y + slot * 4;
            if (r < TK)
                bs_next[slot] = b[(k0 + r) * 32 + x];
        }
        for (int k = 0; k < TK; ++k)
            sum += as[k] * bs[k][(x + y) % TK];
        __syncthreads();
        if (y == 0)
            as[x] = as_next;
        #pragma unroll
        for (int slot = 0; slot < TK / 4; ++slot) {
            int r = y + slot * 4;
            if (r < TK)
                bs[r][x] = bs_next[slot];
        }
        __syncthreads();
    }
    for (int k = 0; k < TK; ++k)
        sum += as[k] * bs[k][(x + y) % TK];
    out[(blockIdx.x * 32 + x) * 4 + y] = sum;
}

// pipelinify: launch by_a_macro
//   sizes n=1,3
//   grid  n
//   block 64
//   a:   in  [n * 5 * 64]
//   out: out [n * 64]
__global__ void by_a_macro(const int *__restrict__ a, int *__restrict__ out)
{
    __shared__ int row[64];
    int sum = 0;
    // pipelinify: ldg-single, 1 stage, source 90b971d1
    unsigned i = ROUNDS;
    row[threadIdx.x] = a[(blockIdx.x * 5 + i - 1) * 64 + threadIdx.x];
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (i--; i >= 1; i--) {
        int row_next = a[(blockIdx.x * 5 + i - 1) * 64 + threadIdx.x];
        for (int k = 0; k < 64; ++k)
            sum = sum * 3 + row[(k + threadIdx.x) % 64];
        __syncthreads();
        row[threadIdx.x] = row_next;
        __syncthreads();
    }
    for (int k = 0; k < 64; ++k)
        sum = sum * 3 + row[(k + threadIdx.x) % 64];
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// pipelinify: launch by_a_default
//   sizes n=1,3
//   grid  n
//   block 64
//   a:   in  [n * 3 * 64]
//   out: out [n * 64]
__global__ void by_a_default(const int *__restrict__ a, int *__restrict__ out)
{
    __shared__ int row[64];
    int sum = 0;
    // pipelinify: ldg-single, 1 stage, source 25007301
    int i = 0;
    if (i < STEPS) {
        row[threadIdx.x] = a[(blockIdx.x * 3 + i) * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++i; i < STEPS; ++i) {
            int row_next = a[(blockIdx.x * 3 + i) * 64 + threadIdx.x];
            for (int k = 0; k < 64; ++k)
                sum = sum * 3 + row[(k + threadIdx.x) % 64];
            __syncthreads();
            row[threadIdx.x] = row_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum = sum * 3 + row[(k + threadIdx.x) % 64];
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

#ifdef FEW
constexpr int TILES = 0;
#else
constexpr int TILES = 4;
#endif

// pipelinify: launch by_a_build
//   sizes n=1,3
//   grid  n
//   block 64
//   a:   in  [n * 4 * 64]
//   out: out [n * 64]
__global__ void by_a_build(const int *__restrict__ a, int *__restrict__ out)
{
    __shared__ int row[64];
    int sum = 0;
    // pipelinify: ldg-single, 1 stage, source b6235bd6
    int i = 0;
    if (i < TILES) {
        row[threadIdx.x] = a[(blockIdx.x * 4 + i) * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++i; i < TILES; ++i) {
            int row_next = a[(blockIdx.x * 4 + i) * 64 + threadIdx.x];
            for (int k = 0; k < 64; ++k)
                sum = sum * 3 + row[(k + threadIdx.x) % 64];
            __syncthreads();
            row[threadIdx.x] = row_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum = sum * 3 + row[(k + threadIdx.x) % 64];
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
