// Weighted sums over tiles whose places and weights are told by a namespace that the loop's body
// uses; the file uses another one that has functions of the same names.
#define T 64

namespace rows {
__device__ inline int at(int t) { return t * T; }
__device__ inline float weigh(float v) { return v; }
} // namespace rows
namespace odd {
__device__ inline int at(long t) { return (int)t * T + 1; }
__device__ inline float weigh(double v) { return 2.f * (float)v; }
} // namespace odd

using namespace rows;

// pipelinify: launch weighted
//   sizes tiles=0,1,2,3,4,5,7
//   grid  2
//   block 64
//   target tiles=65536
//   x:     in  [tiles * 64 + 1] random
//   y:     out [128]
//   tiles: tiles
__global__ void weighted(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source e158ecfa
    {
        using namespace odd;
        long t = 0;
        if (t < tiles) {
            s[threadIdx.x] = x[at(t) + threadIdx.x];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++t; t < tiles; ++t) {
                float s_next = x[at(t) + threadIdx.x];
                for (int j = 0; j < T; ++j)
                    sum += weigh((double)s[j]);
                __syncthreads();
                s[threadIdx.x] = s_next;
                __syncthreads();
            }
            for (int j = 0; j < T; ++j)
                sum += weigh((double)s[j]);
        }
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}
