// const stands in the traits, the conversion in the text.
#include <cuda_runtime.h>

struct Bytes {
    using element = const signed char;
    static constexpr float scale = 0.125f;
};
struct Words {
    using element = const short;
    static constexpr float scale = 0.5f;
};

// pipelinify: launch unpack<Bytes>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     2
//   block    64
//   x:       in  [2 * n * 64]
//   y:       out [2 * 64]
//   n:       n
// pipelinify: launch unpack<Words>
//   sizes    n=0,1,2,3,7
//   target   n=4096
//   grid     2
//   block    64
//   x:       in  [2 * n * 64]
//   y:       out [2 * 64]
//   n:       n
template <class Format>
__global__ void unpack(typename Format::element *__restrict__ x, float *__restrict__ y, int n)
{
    using element = typename Format::element;
    __shared__ float s_stage[2][64];
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 3257788c
    int t = 0, stage = 0;
    if (t < n) {
        {
            element *row = x + (2 * t + blockIdx.x) * 64;
            s_stage[0][threadIdx.x] = row[threadIdx.x] * Format::scale;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            element *row = x + (2 * t + blockIdx.x) * 64;
            float s_next = row[threadIdx.x] * Format::scale;
            for (int k = 0; k < 64; ++k)
                sum += s_stage[stage][k] * s_stage[stage][k ^ 1] - threadIdx.x;
            stage ^= 1;
            s_stage[stage][threadIdx.x] = s_next;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum += s_stage[stage][k] * s_stage[stage][k ^ 1] - threadIdx.x;
    }
    y[blockIdx.x * 64 + threadIdx.x] = sum;
}

template __global__ void unpack<Bytes>(const signed char *, float *, int);
template __global__ void unpack<Words>(const short *, float *, int);
