// The kernel's instantiations are named in a table of the host's alone.
#include <cuda_runtime.h>

// pipelinify: launch rounds<2>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     1
//   block    64
//   x:       in  [n * 64]
//   y:       out [64]
//   n:       n
template <int ROUNDS>
__global__ void rounds(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source c5416761
    int t = 0;
    if (t < n) {
        s[threadIdx.x] = x[t * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next = x[t * 64 + threadIdx.x];
            for (int r = 0; r < ROUNDS; ++r)
                for (int k = 0; k < 64; ++k)
                    sum += s[(k + r) & 63] * (k ^ threadIdx.x);
            __syncthreads();
            s[threadIdx.x] = s_next;
            __syncthreads();
        }
        for (int r = 0; r < ROUNDS; ++r)
            for (int k = 0; k < 64; ++k)
                sum += s[(k + r) & 63] * (k ^ threadIdx.x);
    }
    y[threadIdx.x] = sum;
}

void pick(int which, const float *x, float *y, int n)
{
    using Kernel = void (*)(const float *, float *, int);
    const Kernel table[] = {rounds<1>, rounds<2>, rounds<3>};
    table[which]<<<1, 64>>>(x, y, n);
}
