// Kernels of a code base that began in C: macros make the statements that load, the
// headers of loops, tiles and barriers.
#define TILE 16
#define INDEX(row, col, ld) ((row) * (ld) + (col))
#define INSIDE(row, rows, col, cols) ((row) < (rows) && (col) < (cols))

#define COPY(cell, value) \
    do {                  \
        (cell) = (value); \
    } while (0)

#define LOAD_OR_ZERO(tile, m, row, rows, col, cols, ld)                         \
    do {                                                                        \
        if (INSIDE(row, rows, col, cols)) /* the edge of the matrix */          \
            COPY(tile[threadIdx.y][threadIdx.x], m[INDEX(row, col, ld)]);       \
        else                                                                    \
            COPY(tile[threadIdx.y][threadIdx.x], 0.0f);                         \
    } while (0)

#define SHARED_TILE(type, name, rows, cols) \
    __shared__ type name[rows][(cols) + ((cols) % 32 == 0 ? 1 : 0)]

#define FOR_EACH_TILE(var, extent) for (int var = 0; var < (extent); var += TILE)
#define OVER(var, count) var = 0; var < (count); var += SPAN
#define TILE_READY __syncthreads(); tiles++
#define DONE_WITH_TILE __syncthreads(); }

// pipelinify: launch sgemm
//   sizes    M=16,20 N=16,17 K=0,1,16,20,33,48,64,80,96
//   target   M=2048 N=2048 K=2048
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
extern "C" __global__ void sgemm(const float *__restrict__ A, const float *__restrict__ B,
                                 float *__restrict__ C, int M, int N, int K)
{
    SHARED_TILE(float, a, TILE, TILE);
    SHARED_TILE(float, b, TILE, TILE);
    const int row = blockIdx.y * TILE + threadIdx.y;
    const int col = blockIdx.x * TILE + threadIdx.x;
    float sum = 0.0f;

    FOR_EACH_TILE(k0, K) {
        LOAD_OR_ZERO(a, A, row, M, k0 + threadIdx.x, K, K);
        LOAD_OR_ZERO(b, B, k0 + threadIdx.y, K, col, N, N);
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    if (INSIDE(row, M, col, N))
        C[INDEX(row, col, N)] = sum;
}

#define SPAN 64
#define STAGE_SIGNAL(k)                              \
    _Pragma("unroll")                                \
    for (int i = threadIdx.x; i < 2 * SPAN; i += SPAN) \
        window[i] = x[(k) + i]
#define IF_WANTED(k) if ((k) + (int)threadIdx.x < n)
#define OTHERWISE else
#define SCALED * scale

// Autocorrelation at one lag, the samples of a window and of the one behind it.
// pipelinify: launch lag_products
//   sizes    n=0,64,128,192,320 lag=0,3,63
//   target   n=65536 lag=5
//   grid     2
//   block    64
//   x:       in  [n + 64]
//   out:     out [128]
//   tiles_of: out [128]
//   n:       n
//   lag:     lag
//   scale:   0.5
__global__ void lag_products(const float *__restrict__ x, float *__restrict__ out,
                             int *__restrict__ tiles_of, int n, int lag, float scale)
{
    __shared__ float window[2 * SPAN], alone[SPAN];
    const int lane = threadIdx.x;
    float sum = 0.0f;
    int tiles = 0;
    for (int OVER(k, n)) {
        STAGE_SIGNAL(k);
        TILE_READY;
        for (int i = 0; i < SPAN; ++i)
            sum += window[i] * window[i + lag] * (float)(i ^ lane);
        DONE_WITH_TILE
    for (int k = 0; k < n; k += SPAN) {
        IF_WANTED(k) alone[lane] = x[k + lane] SCALED; OTHERWISE alone[lane] = 0.0f;
        __syncthreads();
        for (int i = 0; i < SPAN; ++i)
            sum -= alone[i] * alone[i ^ lane];
        __syncthreads();
    }
    out[blockIdx.x * SPAN + lane] = sum;
    tiles_of[blockIdx.x * SPAN + lane] = tiles;
}

// The function that loads is made with a macro, too.
#define TWO_STORES(to, from)                  \
    to[threadIdx.x] = from[threadIdx.x];      \
    to[threadIdx.x + SPAN] = from[threadIdx.x + SPAN]

__device__ __forceinline__ void load_pair(float *tile, const float *row)
{
    TWO_STORES(tile, row);
}

// pipelinify: launch row_norms
//   sizes    n=0,128,256,640
//   target   n=16384
//   grid     3
//   block    64
//   a:       in  [3 * n]
//   y:       out [192]
//   n:       n
__global__ void row_norms(const float *__restrict__ a, float *__restrict__ y, int n)
{
    __shared__ float part[2 * SPAN];
    const float *row = a + (size_t)blockIdx.x * n;
    float sum = 0.0f;
    for (int OVER(k, n / 2)) {
        load_pair(part, row + 2 * k);
        __syncthreads();
        for (int i = 0; i < 2 * SPAN; ++i)
            sum += part[i] * part[i ^ threadIdx.x];
        __syncthreads();
    }
    y[blockIdx.x * SPAN + threadIdx.x] = sum;
}
