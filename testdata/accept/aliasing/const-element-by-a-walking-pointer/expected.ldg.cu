// A pointer to const elements that walks over the rows, four elements a thread.
#include <cuda_runtime.h>

// pipelinify: launch gather<const int>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     1
//   block    32
//   x:       in  [n * 128]
//   y:       out [32]
//   n:       n
// pipelinify: launch gather<int>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     1
//   block    32
//   x:       in  [n * 128]
//   y:       out [32]
//   n:       n
template <class V>
__global__ void gather(V *x, float *__restrict__ y, int n)
{
    __shared__ float s_stage[2][128];
    float sum = 0.f;
    V *p = x;
    // pipelinify: ldg, 2 stages, source e5b6fe1b
    static_assert(__is_trivially_copyable(V) && !__is_same(V, volatile V),
                  "V must be plain data and not volatile");
    int t = 0, stage = 0;
    if (t < n) {
        for (int i = 0; i < 4; ++i)
            s_stage[0][i * 32 + threadIdx.x] = float(p[i * 32 + threadIdx.x]);
        p += 128;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next[4];
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                s_next[i] = float(p[i * 32 + threadIdx.x]);
            for (int k = 0; k < 128; ++k)
                sum += s_stage[stage][k] * (k ^ threadIdx.x);
            stage ^= 1;
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                s_stage[stage][i * 32 + threadIdx.x] = s_next[i];
            p += 128;
            __syncthreads();
        }
        for (int k = 0; k < 128; ++k)
            sum += s_stage[stage][k] * (k ^ threadIdx.x);
    }
    y[threadIdx.x] = sum;
}

template __global__ void gather<const int>(const int *, float *, int);
template __global__ void gather<int>(int *, float *, int);
template __global__ void gather<const short>(const short *, float *, int);
