// Tiles that are a block of dynamic shared memory: every launch is in the file, and
// gives a number of bytes that can be added to.
#include <cuda_runtime.h>
#include <cstdio>

#define ROW_BYTES TILE << 2
#define CHECK(call)                                                            \
    do {                                                                       \
        call;                                                                  \
        if (cudaGetLastError() != cudaSuccess)                                 \
            std::printf("failed: %s\n", #call);                                \
    } while (0)

constexpr int TILE = 64;

// One tile, whose number of bytes is not one of 128's multiples.
//
// pipelinify: launch weigh
//   sizes n=0,1,49,50,51,200,205
//   grid  3
//   block 50
//   smem  200
//   a:    in  [n + 1] random
//   out:  out [150]
//   n:    n
__global__ void weigh(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 767bd1d6
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 50; k < n; k += 50) {
            float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            for (int i = 0; i < 50; ++i)
                sum += tile[i] * (i + blockIdx.x);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < 50; ++i)
            sum += tile[i] * (i + blockIdx.x);
    }
    out[blockIdx.x * 50 + threadIdx.x] = sum + threadIdx.x;
}

namespace deep {

// Two tiles, carved out of the block; launched with several sizes.
//
// pipelinify: launch deep::pairs
//   sizes n=0,1,63,64,65,192,200
//   grid  2
//   block 64
//   smem  512
//   a:    in  [n + 1] random
//   b:    in  [n + 1] random
//   out:  out [128]
//   n:    n
__global__ void pairs(const float *__restrict__ a, const float *__restrict__ b,
                      float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float *as = tile;
    float *bs = tile + TILE;
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source a571453c
    int k = 0;
    if (k < n) {
        {
            const int at = k + threadIdx.x;
            as[threadIdx.x] = at < n ? a[at] : 0.f;
            bs[threadIdx.x] = at < n ? b[at] : 1.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += TILE; k < n; k += TILE) {
            const int at = k + threadIdx.x;
            float as_next = at < n ? a[at] : 0.f;
            float bs_next = at < n ? b[at] : 1.f;
            for (int i = 0; i < TILE; ++i)
                sum += as[i] * bs[(i + blockIdx.x) % TILE];
            __syncthreads();
            as[threadIdx.x] = as_next;
            bs[threadIdx.x] = bs_next;
            __syncthreads();
        }
        for (int i = 0; i < TILE; ++i)
            sum += as[i] * bs[(i + blockIdx.x) % TILE];
    }
    out[blockIdx.x * TILE + threadIdx.x] = sum;
}

}  // namespace deep

// Vectors, in a block that is declared to begin where it has to.
//
// pipelinify: launch by_vectors
//   sizes n=0,1,63,64,65,200
//   grid  2
//   block 64
//   smem  64 * 16
//   a:    in  [4 * n + 4] random
//   out:  out [128]
//   n:    n
__global__ void by_vectors(const float4 *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ __align__(16) float4 quads[];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 7d970f8c
    int k = 0;
    if (k < n) {
        {
            const int at = k + threadIdx.x;
            quads[threadIdx.x] = at < n ? a[at] : make_float4(0.f, 0.f, 0.f, 0.f);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += blockDim.x; k < n; k += blockDim.x) {
            const int at = k + threadIdx.x;
            float4 quads_next = at < n ? a[at] : make_float4(0.f, 0.f, 0.f, 0.f);
            for (int i = 0; i < blockDim.x; ++i)
                sum += quads[i].x * quads[i].w + quads[i].y - quads[i].z * blockIdx.x;
            __syncthreads();
            quads[threadIdx.x] = quads_next;
            __syncthreads();
        }
        for (int i = 0; i < blockDim.x; ++i)
            sum += quads[i].x * quads[i].w + quads[i].y - quads[i].z * blockIdx.x;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

void run(const float *a, const float *b, float *out, int n)
{
    const size_t bytes = 2 * TILE * sizeof(float);
    const bool wide = true;
    std::printf("%zu bytes\n", bytes);
    weigh<<<3, 50, 50 * sizeof(float)>>>(a, out, n);
    CHECK((deep::pairs<<<2, TILE, bytes>>>(a, b, out, n)));
    if (n > 100)
        deep::pairs<<<4, TILE, wide ? bytes + 8 : bytes, nullptr>>>(a, b, out, n);
    by_vectors<<<2, TILE, 4 * (ROW_BYTES)>>>((const float4 *)a, out, n / 4);
    by_vectors<<<2, TILE, ROW_BYTES << 2, nullptr>>>((const float4 *)a, out, n / 4);
}
