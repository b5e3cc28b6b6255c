// Loops without end that are left in their midst: behind the barrier that begins a tile, before the one that ends it,
// before the step to the next one.
#include <cuda_runtime.h>

#define T 64

// The barrier stands ahead of the test, so the block waits once more when it leaves. The sum of the last tile's maxima
// is taken from shared memory behind the loop.
// pipelinify: launch row_peaks
//   sizes    n=0,1,63,64,65,127,128,129,192,200,256,449
//   target   n=1048576
//   grid     2
//   block    64
//   x:       in  [2 * n]
//   out:     out [2 * 64]
//   n:       n
__global__ void row_peaks(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    __shared__ float peak[T];
    const float *row = x + blockIdx.x * n;
    float most = -1.f;
    int k = 0;
    peak[threadIdx.x] = 0.25f;
    // pipelinify: ldg-single, 1 stage, source d4405363
    if (k < n) {
        __syncthreads();
        s[threadIdx.x] = k + (int)threadIdx.x < n ? row[k + threadIdx.x] : -1.f;
        k += T;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (k < n) {
            float s_next = k + (int)threadIdx.x < n ? row[k + threadIdx.x] : -1.f;
            for (int j = 0; j < T; ++j)
                most = fmaxf(most, s[j] * (float)(1 + ((j ^ threadIdx.x) & 3)));
            peak[threadIdx.x] = most;
            __syncthreads(); // nobody reads the last tile any more
            s[threadIdx.x] = s_next;
            k += T;
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            most = fmaxf(most, s[j] * (float)(1 + ((j ^ threadIdx.x) & 3)));
        peak[threadIdx.x] = most;
    }
    __syncthreads();
    out[blockIdx.x * T + threadIdx.x] = most + peak[T - 1 - threadIdx.x];
}

// pipelinify: launch dots
//   sizes    tiles=1,2,3,4,5,9
//   target   tiles=8192
//   grid     2
//   block    64
//   a:       in  [2 * tiles * 64]
//   b:       in  [tiles * 64]
//   out:     out [2 * 64]
//   tiles:   tiles
__global__ void dots(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int tiles)
{
    __shared__ float as[T], bs[T];
    const float *from = a + blockIdx.x * tiles * T;
    float sum = 0.f;
    int t = 0;
    // pipelinify: ldg-single, 1 stage, source 5cfd73e8
    as[threadIdx.x] = from[t * T + threadIdx.x];
    bs[threadIdx.x] = b[t * T + threadIdx.x];
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    while (++t != tiles) {
        float as_next = from[t * T + threadIdx.x];
        float bs_next = b[t * T + threadIdx.x];
        for (int j = 0; j < T; ++j)
            sum += as[j] * bs[j ^ threadIdx.x];
        // all done
        // before the tiles are filled anew
        __syncthreads();
        as[threadIdx.x] = as_next;
        bs[threadIdx.x] = bs_next;
        __syncthreads();
    }
    for (int j = 0; j < T; ++j)
        sum += as[j] * bs[j ^ threadIdx.x];
    // all done
    out[blockIdx.x * T + threadIdx.x] = sum + t;
}

// pipelinify: launch walk
//   sizes    n=1,2,63,64,65,128,129,192,193,300
//   target   n=1048576
//   grid     1
//   block    64
//   x:       in  [n]
//   out:     out [64]
//   last:    out [1]
//   n:       n
__global__ void walk(const float *__restrict__ x, float *__restrict__ out, int *__restrict__ last, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    int k = 0;
    // pipelinify: ldg-single, 1 stage, source e6a0c213
    int k_tile = k;
    s[threadIdx.x] = k + (int)threadIdx.x < n ? x[k + threadIdx.x] : 0.f;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    while (k + T < n) {
        k += T;
        float s_next = k + (int)threadIdx.x < n ? x[k + threadIdx.x] : 0.f;
        for (int j = 0; j < T; ++j)
            sum += s[j] * (float)(j ^ threadIdx.x) + k_tile;
        // on to the next
        k_tile += T;
        __syncthreads();
        s[threadIdx.x] = s_next;
        __syncthreads();
    }
    for (int j = 0; j < T; ++j)
        sum += s[j] * (float)(j ^ threadIdx.x) + k_tile;
    // on to the next
    out[threadIdx.x] = sum;
    if (threadIdx.x == 0)
        *last = k;
}

// pipelinify: launch panels
//   sizes    tiles=1,2,3,4,5,7 rows=64
//   target   tiles=512 rows=4096
//   grid     rows / 64
//   block    64
//   A:       in  [tiles * 16 * rows]
//   x:       in  [tiles * 16]
//   y:       out [rows]
//   tiles:   tiles
//   rows:    rows
__global__ void panels(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y, int tiles,
                       int rows)
{
    __shared__ float xs[16];
    const int row = blockIdx.x * 64 + threadIdx.x;
    float dot = 0.f;
    int left = tiles;
    const float *column = A + row;
    const float *piece = x;
    // pipelinify: ldg-single, 1 stage, source d272a355
    if (threadIdx.x < 16)
        xs[threadIdx.x] = piece[threadIdx.x];
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    while (--left != 0) {
        piece += 16;
        float xs_next;
        if (threadIdx.x < 16)
            xs_next = piece[threadIdx.x];
        for (int j = 0; j < 16; ++j)
            dot += column[j * rows] * xs[j];
        column += 16 * rows;
        __syncthreads();
        if (threadIdx.x < 16)
            xs[threadIdx.x] = xs_next;
        __syncthreads();
    }
    for (int j = 0; j < 16; ++j)
        dot += column[j * rows] * xs[j];
    column += 16 * rows;
    y[row] = dot;
}
