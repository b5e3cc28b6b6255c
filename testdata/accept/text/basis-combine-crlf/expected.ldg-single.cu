// Weighted sum of basis vectors with CRLF line ends and no newline at the end of the file; the tile holds the weights and the pragma vouches for the pointers.
#include <cuda_runtime.h>

// pipelinify: launch combine
//   sizes  n=64 m=0,1,31,32,33,64,96,128,160,195
//   sizes  n=100 m=70
//   target n=4194304 m=128
//   grid   (n + 63) / 64
//   block  64
//   basis: in  [m * n] random
//   w:     in  [m] random
//   trace: out [m]
//   y:     out [n]
//   n:     n
//   m:     m
// pipelinify: assume-no-alias
__global__ void combine(const float *basis, const float *w, float *trace, float *y, int n, int m)
{
    __shared__ float wt[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;

    // pipelinify: ldg-single, 1 stage, source 56921fa5
    int b = 0, b_tile = b;
    if (b < m)
    {
        auto compute_tile = [&]()
        {
            for (int k = 0; k < 32 && b_tile + k < m; ++k)
            {
                if (i < n)
                    sum += wt[k] * basis[(size_t)(b_tile + k) * n + i];
                if (i == 0)
                    trace[b_tile + k] = sum;
            }
        };
        if (threadIdx.x < 32)
            wt[threadIdx.x] = b + threadIdx.x < m ? w[b + threadIdx.x] : 0.0f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (b += 32; b < m; b += 32)
        {
            float wt_next;
            if (threadIdx.x < 32)
                wt_next = b + threadIdx.x < m ? w[b + threadIdx.x] : 0.0f;
            compute_tile();
            b_tile += 32;
            __syncthreads();
            if (threadIdx.x < 32)
                wt[threadIdx.x] = wt_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }

    if (i < n)
        y[i] = sum;
}