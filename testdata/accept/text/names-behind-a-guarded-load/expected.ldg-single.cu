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
    // pipelinify: ldg-single, 1 stage, source da82d7da
    int k = 0, k_tile = k;
    if (k < n) {
        {
            float v = 0.f;
            if (row & 2)
                v = a[k * 64 + row];
            const int row = (t + 5) % 64;
            s[row] = v;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < n; k++) {
            float s_next;
            {
                float v = 0.f;
                if (row & 2)
                    v = a[k * 64 + row];
                s_next = v;
            }
            sum += s[(t + 1) % 64] * (float)(k_tile + 1);
            k_tile++;
            __syncthreads();
            {
                const int row = (t + 5) % 64;
                s[row] = s_next;
            }
            __syncthreads();
        }
        sum += s[(t + 1) % 64] * (float)(k_tile + 1);
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
    // pipelinify: ldg-single, 1 stage, source 572cff4f
    int k = 0, k_tile = k;
    if (k < n) {
        {
            const float v = a[k * 64 + row];
            const int row = (t + 5) % 64;
            s[row] = v;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < n; k++) {
            float v_next;
            {
                const float v = a[k * 64 + row];
                v_next = v;
            }
            sum += s[(t + 1) % 64] * (float)(k_tile + 1);
            k_tile++;
            __syncthreads();
            {
                float v = v_next;
                const int row = (t + 5) % 64;
                s[row] = v;
            }
            __syncthreads();
        }
        sum += s[(t + 1) % 64] * (float)(k_tile + 1);
    }
    out[blockIdx.x * 64 + t] = sum;
}
