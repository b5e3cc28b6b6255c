// One statement moves what the loop asks for and what the loads alone go by: the side that asks may
// not move the other one twice.
#include <cuda_runtime.h>

#define T 64

// pipelinify: launch windows
//   sizes    n=0,1,3,8 hop=1,17
//   target   n=4096 hop=64
//   grid     1
//   block    64
//   a:       in  [n * hop + 64]
//   out:     out [64]
//   n:       n
//   hop:     hop
__global__ void windows(const float *__restrict__ a, float *__restrict__ out, int n, int hop)
{
    __shared__ float s[T];
    float sum = 0.f;
    int left = n, at = 0;
    // pipelinify: ldg-single, 1 stage, source 8208e2ad
    if (left > 0) {
        s[threadIdx.x] = a[at + threadIdx.x];
        --left, at += hop;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (left > 0) {
            float s_next = a[at + threadIdx.x];
            for (int j = 0; j < T; ++j)
                sum = 0.5f * sum + s[(j + threadIdx.x) % T];
            __syncthreads();
            s[threadIdx.x] = s_next;
            --left, at += hop;
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum = 0.5f * sum + s[(j + threadIdx.x) % T];
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch windows_backwards
//   sizes    n=0,1,3,8 hop=1,17
//   target   n=4096 hop=64
//   grid     1
//   block    64
//   a:       in  [n * hop + 64]
//   out:     out [64]
//   n:       n
//   hop:     hop
__global__ void windows_backwards(const float *__restrict__ a, float *__restrict__ out, int n, int hop)
{
    __shared__ float s[T];
    float sum = 0.f;
    const float *from = a + n * hop + threadIdx.x;
    int done = 0;
    // pipelinify: ldg-single, 1 stage, source e2fe7baa
    if (done < n) {
        {
            from -= hop;
            done += 1;
        }
        s[threadIdx.x] = *from;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (done < n) {
            {
                from -= hop;
                done += 1;
            }
            float s_next = *from;
            for (int j = 0; j < T; ++j)
                sum = 0.5f * sum + s[(j + threadIdx.x) % T];
            __syncthreads();
            s[threadIdx.x] = s_next;
            __syncthreads();
        }
        for (int j = 0; j < T; ++j)
            sum = 0.5f * sum + s[(j + threadIdx.x) % T];
    }
    out[threadIdx.x] = sum;
}
