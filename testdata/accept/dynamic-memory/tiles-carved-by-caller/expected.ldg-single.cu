// Device functions fill tiles that their callers carve out of one array: one of them squares the differences in a
// third part of it, the other has the tiles of a product.
#include <cuda_runtime.h>

#define T 16

__device__ float weighted_distance(float *xs, float *ys, float *tmp, const float *__restrict__ x,
                                   const float *__restrict__ y, int n)
{
    float acc = 0.f;
    // pipelinify: ldg-single, 1 stage, source d47aa1dc
    int k = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            const float d = xs[threadIdx.x] - ys[63 - threadIdx.x];
            tmp[threadIdx.x] = d * d;
            __syncthreads();
            for (int i = 0; i < 64; ++i)
                acc += tmp[i] * (float)(i ^ threadIdx.x);
        };
        xs[threadIdx.x] = k + threadIdx.x < n ? x[k + threadIdx.x] : 0.f;
        ys[threadIdx.x] = k + threadIdx.x < n ? y[k + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            float xs_next = k + threadIdx.x < n ? x[k + threadIdx.x] : 0.f;
            float xs_next2 = k + threadIdx.x < n ? y[k + threadIdx.x] : 0.f;
            compute_tile();
            __syncthreads();
            xs[threadIdx.x] = xs_next;
            ys[threadIdx.x] = xs_next2;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    return acc;
}

// pipelinify: launch distances
//   sizes    m=1,3 n=0,1,63,64,65,128,200
//   target   m=1024 n=8192
//   grid     m
//   block    64
//   smem     3 * 64 * 4
//   x:       in  [m * n]
//   y:       in  [n]
//   out:     out [m * 64]
//   n:       n
__global__ void distances(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ out, int n)
{
    extern __shared__ float block[];
    out[blockIdx.x * 64 + threadIdx.x] =
        weighted_distance(block, block + 64, block + 128, x + blockIdx.x * n, y, n);
}

__device__ float tile_dot(float *as, float *bs, const float *__restrict__ A, const float *__restrict__ B, int n, int r, int c)
{
    const int tx = threadIdx.x, ty = threadIdx.y;
    float acc = 0.f;
    // pipelinify: ldg-single, 1 stage, source 3b8e1482
    int k = 0;
    if (k < n) {
        as[ty * T + tx] = r < n && k + tx < n ? A[r * n + k + tx] : 0.f;
        bs[ty * T + tx] = c < n && k + ty < n ? B[(k + ty) * n + c] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += T; k < n; k += T) {
            float as_next = r < n && k + tx < n ? A[r * n + k + tx] : 0.f;
            float as_next2 = c < n && k + ty < n ? B[(k + ty) * n + c] : 0.f;
            for (int e = 0; e < T; ++e)
                acc += as[ty * T + e] * bs[e * T + tx];
            __syncthreads();
            as[ty * T + tx] = as_next;
            bs[ty * T + tx] = as_next2;
            __syncthreads();
        }
        for (int e = 0; e < T; ++e)
            acc += as[ty * T + e] * bs[e * T + tx];
        __syncthreads();
    }
    return acc;
}
// pipelinify: launch mm
//   sizes    n=1,15,16,17,40
//   target   n=2048
//   grid     (n + 15) / 16, (n + 15) / 16
//   block    16, 16
//   A:       in  [n * n]
//   B:       in  [n * n]
//   C:       out [n * n]
//   n:       n
__global__ void mm(const float *A, const float *B, float *C, int n)
{
    __shared__ float both[2 * T * T];
    const int r = blockIdx.y * T + threadIdx.y, c = blockIdx.x * T + threadIdx.x;
    float v = tile_dot(both, both + T * T, A, B, n, r, c);
    if (r < n && c < n)
        C[r * n + c] = v;
}
