// A helper fills the tiles that a record's pointers lead to, which it is handed by value: which tile
// a store goes to is seen where its statements stand in the place of the call.
#include <cuda_runtime.h>

#define T 32

struct tiles {
    float *a, *b;
};

__device__ void load(tiles to, const float *a, const float *b, int at, int n)
{
    const int i = at + threadIdx.x;
    to.a[threadIdx.x] = i < n ? a[i] : 0.f;
    to.b[threadIdx.x] = i < n ? b[i] : 1.f;
}

__device__ float dot(tiles of, float sum)
{
    for (int j = 0; j < T; ++j)
        sum = 0.5f * sum + of.a[j] * of.b[(j + threadIdx.x) % T];
    return sum;
}

// pipelinify: launch dots
//   sizes    n=0,1,31,32,33,100
//   target   n=65536
//   grid     1
//   block    32
//   a:       in  [n + 1]
//   b:       in  [n + 1]
//   out:     out [32]
//   n:       n
__global__ void dots(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n)
{
    __shared__ float sa[T], sb[T];
    tiles of{sa, sb};
    float sum = 0.f;
    for (int i = 0; i < n; i += T) {
        load(of, a, b, i, n);
        __syncthreads();
        sum = dot(of, sum);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
