// The run decides how many bytes of dynamic shared memory a launch gives: up to 48 KiB,
// of which a block has room for several.
#include <cuda_runtime.h>

// By a parameter.
//
// pipelinify: launch by_parameter
//   sizes  n=0,1,63,64,65,200 T=64
//   sizes  n=33,100 T=32,48
//   grid   2
//   block  T
//   smem   T * 4
//   a:     in  [n + 1] random
//   out:   out [2 * T]
//   n:     n
__global__ void by_parameter(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source b648975a
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += blockDim.x; k < n; k += blockDim.x) {
            float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            for (int i = 0; i < blockDim.x; ++i)
                sum += tile[i] * (i + blockIdx.x);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < blockDim.x; ++i)
            sum += tile[i] * (i + blockIdx.x);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// By a variable that is set on one way, and handed on.
//
// pipelinify: launch by_assigned
//   sizes  n=0,1,63,64,65,200 T=64
//   sizes  n=33,100 T=32,48
//   grid   2
//   block  T
//   smem   T * 8
//   a:     in  [n + 1] random
//   out:   out [2 * T]
//   n:     n
__global__ void by_assigned(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float *squares = tile + blockDim.x;
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source ff2eb148
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        squares[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] + 1.f : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += blockDim.x; k < n; k += blockDim.x) {
            float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            float squares_next = k + threadIdx.x < n ? a[k + threadIdx.x] + 1.f : 0.f;
            for (int i = 0; i < blockDim.x; ++i)
                sum += squares[i] * tile[blockDim.x - 1 - i] * (i + blockIdx.x);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            squares[threadIdx.x] = squares_next;
            __syncthreads();
        }
        for (int i = 0; i < blockDim.x; ++i)
            sum += squares[i] * tile[blockDim.x - 1 - i] * (i + blockIdx.x);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

void choose(int *bytes);

void run(const float *a, float *out, int n, int threads)
{
    int bytes = threads * 4;
    by_parameter<<<2, threads, threads * sizeof(float)>>>(a, out, n);
    if (n > 100) {
        bytes = 512;
        by_assigned<<<2, 64, bytes>>>(a, out, n);
    }
    choose(&bytes);
    for (int round = 0; round < n; ++round)
        if (round % 2)
            by_assigned<<<2, 64, bytes>>>(a, out, n);
        else
            by_assigned<<<2, 32, bytes>>>(a, out, n);
    by_assigned<<<2, threads, bytes > 512 ? bytes : 512>>>(a, out, n);
}
