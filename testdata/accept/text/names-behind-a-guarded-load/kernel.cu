// A guarded load goes to a register first; the row it is asked for, and loaded from, is another
// one than the row that it is stored to, under the same name.
#include <cuda_runtime.h>

// pipelinify: launch turn_rows
//   sizes    n=0,1,3,7
//   grid     2
//   block    64
//   a:       in  [n * 64 + 64]
//   out:     out [128]
//   n: n
__global__ void turn_rows(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    const int row = t;
    float sum = 0.f;
    for (int k = 0; k < n; k++) {
        {
            float v = 0.f;
            if (row & 2)
                v = a[k * 64 + row];
            const int row = (t + 5) % 64;
            s[row] = v;
        }
        __syncthreads();
        sum += s[(t + 1) % 64] * (float)(k + 1);
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}

// Without a guard.
// pipelinify: launch turn_all_rows
//   sizes    n=0,1,3,7
//   grid     2
//   block    64
//   a:       in  [n * 64 + 64]
//   out:     out [128]
//   n: n
__global__ void turn_all_rows(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    const int row = t;
    float sum = 0.f;
    for (int k = 0; k < n; k++) {
        {
            const float v = a[k * 64 + row];
            const int row = (t + 5) % 64;
            s[row] = v;
        }
        __syncthreads();
        sum += s[(t + 1) % 64] * (float)(k + 1);
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}
