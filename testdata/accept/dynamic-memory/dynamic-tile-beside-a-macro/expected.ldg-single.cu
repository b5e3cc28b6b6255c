// A kernel whose loads are a macro, which is looked at in another text, beside one whose launch
// is edited.
#include <cuda_runtime.h>
#define LOAD_TILE(t, p, k, n) \
    t[threadIdx.x] = (k) + threadIdx.x < (n) ? p[(k) + threadIdx.x] : 0.f; \
    __syncthreads();
// pipelinify: launch scale
//   sizes    n=0,1,63,64,65,200,256
//   grid     4
//   block    64
//   smem     256
//   a:       in  [n + 1]
//   out:     out [4 * 64]
//   n:       n
__global__ void scale(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 01c4c9c0
    {
        int k = 0;
        if (k < n) {
            tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k += 64; k < n; k += 64) {
                float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
                for (int i = 0; i < 64; ++i)
                    sum += tile[i] * (i + blockIdx.x);
                __syncthreads();
                tile[threadIdx.x] = tile_next;
                __syncthreads();
            }
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * (i + blockIdx.x);
        }
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum + threadIdx.x;
}

// pipelinify: launch plain
//   sizes    n=0,1,63,64,65,200,256
//   grid     4
//   block    64
//   a:       in  [n + 1]
//   out:     out [4 * 64]
//   n:       n
__global__ void plain(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float t[64];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source db5af93f
    {
        int k = 0;
        if (k < n) {
            t[threadIdx.x] = (k) + threadIdx.x < (n) ? a[(k) + threadIdx.x] : 0.f;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k += 64; k < n; k += 64) {
                float t_next = (k) + threadIdx.x < (n) ? a[(k) + threadIdx.x] : 0.f;
                for (int i = 0; i < 64; ++i)
                    sum += t[i] * (i + blockIdx.x);
                __syncthreads();
                t[threadIdx.x] = t_next;
                __syncthreads();
            }
            for (int i = 0; i < 64; ++i)
                sum += t[i] * (i + blockIdx.x);
        }
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum + threadIdx.x;
}
void run_plain(const float *a, float *out, int n)
{
    plain<<<4, 64>>>(a, out, n);
}

void run(const float *a, float *out, int n)
{
    scale<<<4, 64, 256>>>(a, out, n);
}
