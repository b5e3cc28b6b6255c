// Kernels that ask how much shared memory they have: stages would change the answer.
#include <cuda_runtime.h>

// As many columns as there is room for.
//
// pipelinify: launch room
//   sizes n=0,1,2,3,5
//   block 64
//   smem  256
//   x:    in  [n * 64 + 1]
//   out:  out [64]
//   n:    n
__global__ void room(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    unsigned bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    float sum = 0;
    // pipelinify: ldg-single, 1 stage, source 76fc85ed
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] = x[k * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float tile_next = x[k * 64 + threadIdx.x];
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * (i ^ threadIdx.x);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i ^ threadIdx.x);
    }
    out[threadIdx.x] = sum + bytes / sizeof(float);
}

#define READ_BYTES(to) asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(to))

__device__ unsigned room_here()
{
    unsigned bytes;
    READ_BYTES(bytes);
    return bytes;
}

// A function asks, by a macro.
//
// pipelinify: launch room_of_a_function
//   sizes n=0,1,2,3,5
//   block 64
//   smem  256
//   x:    in  [n * 64 + 1]
//   out:  out [64]
//   n:    n
__global__ void room_of_a_function(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0;
    // pipelinify: ldg-single, 1 stage, source 76fc85ed
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] = x[k * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float tile_next = x[k * 64 + threadIdx.x];
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * (i ^ threadIdx.x);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i ^ threadIdx.x);
    }
    out[threadIdx.x] = sum + room_here();
}

void run(const float *x, float *out, int n)
{
    room<<<1, 64, 256>>>(x, out, n);
    room_of_a_function<<<1, 64, 256>>>(x, out, n);
}
