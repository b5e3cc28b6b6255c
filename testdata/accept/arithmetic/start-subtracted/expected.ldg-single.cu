// Means of what lies near a query. The copy loop counts through the samples, and a
// tile's cell is how far a sample lies behind the tile's first; a second kernel has
// rows of three coordinates.
// pipelinify: launch windowed_mean
//   sizes    n=60,64 m=0,1,31,32,33,100
//   target   n=65536 m=65536
//   grid     (n + 63) / 64
//   block    64
//   x:       in [m + 1] random
//   q:       in [n] random
//   y:       out [n]
//   n:       n
//   m:       m
#include <cuda_runtime.h>
__global__ void windowed_mean(const float *__restrict__ x, const float *__restrict__ q, float *__restrict__ y, int n, int m)
{
    __shared__ float xs[32];
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    const float c = g < n ? q[g] : 0.f;
    float s = 0.f;
    // pipelinify: ldg-single, 1 stage, source 9bccf0f0
    int t0 = 0, t0_tile = t0;
    if (t0 < m) {
        auto compute_tile = [&]() {
            const int t1 = min(t0_tile + 32, m);
            for (int i = t0_tile; i < t1; ++i) {
                const float d = xs[i - t0_tile] - c;
                s += d * d < 0.25f ? xs[i - t0_tile] : 0.f;
            }
        };
        {
            const int t1 = min(t0 + 32, m);
            for (int i = t0 + threadIdx.x; i < t1; i += blockDim.x) xs[i - t0] = x[i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t0 += 32; t0 < m; t0 += 32) {
            float xs_next[1];
            const int t1 = min(t0 + 32, m);
            #pragma unroll
            for (int i = t0 + threadIdx.x, slot = 0; slot < 1 && i < t1; i += blockDim.x, ++slot) {
                xs_next[slot] = x[i];
            }
            compute_tile();
            t0_tile += 32;
            __syncthreads();
            {
                int i = t0 + threadIdx.x;
                #pragma unroll
                for (int slot = 0; slot < 1 && i < t1; i += blockDim.x, ++slot) {
                    xs[i - t0] = xs_next[slot];
                }
                for (; i < t1; i += blockDim.x)
                    xs[i - t0] = x[i];
            }
            __syncthreads();
        }
        compute_tile();
    }
    if (g < n) y[g] = s;
}

// pipelinify: launch near_points
//   sizes    n=60,64 m=0,1,31,32,33,100
//   target   n=65536 m=65536
//   grid     (n + 63) / 64
//   block    64
//   p:       in [3 * m + 1] range(99, 101)
//   q:       in [3 * n] range(99, 101)
//   y:       out [n]
//   n:       n
//   m:       m
__global__ void near_points(const float *__restrict__ p, const float *__restrict__ q, float *__restrict__ y, int n, int m)
{
    __shared__ float ps[32][3];
    const int g = blockIdx.x * blockDim.x + threadIdx.x;
    const float a = g < n ? q[3 * g] : 0.f, b = g < n ? q[3 * g + 1] : 0.f, c = g < n ? q[3 * g + 2] : 0.f;
    float s = 0.f;
    // pipelinify: ldg-single, 1 stage, source 1eb445f9
    size_t t0 = 0;
    if (t0 < m) {
        for (size_t i = t0 + threadIdx.x; i < t0 + 32; i += blockDim.x)
            for (int d = 0; d < 3; ++d)
                ps[i - t0][d] = i < m ? p[3 * i + d] : 100.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t0 += 32; t0 < m; t0 += 32) {
            float ps_next[1][3];
            #pragma unroll
            for (size_t i = t0 + threadIdx.x, slot = 0; slot < 1 && i < t0 + 32; i += blockDim.x, ++slot) {
                #pragma unroll
                for (int d = 0; d < 3; ++d)
                    ps_next[slot][d] = i < m ? p[3 * i + d] : 100.f;
            }
            for (int i = 0; i < 32; ++i) {
                const float x = ps[i][0] - a, y = ps[i][1] - b, z = ps[i][2] - c;
                s += x * x + y * y + z * z < 1.f;
            }
            __syncthreads();
            {
                size_t i = t0 + threadIdx.x;
                #pragma unroll
                for (int slot = 0; slot < 1 && i < t0 + 32; i += blockDim.x, ++slot) {
                    #pragma unroll
                    for (int d = 0; d < 3; ++d)
                        ps[i - t0][d] = ps_next[slot][d];
                }
                for (; i < t0 + 32; i += blockDim.x)
                    for (int d = 0; d < 3; ++d)
                        ps[i - t0][d] = i < m ? p[3 * i + d] : 100.f;
            }
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i) {
            const float x = ps[i][0] - a, y = ps[i][1] - b, z = ps[i][2] - c;
            s += x * x + y * y + z * z < 1.f;
        }
    }
    if (g < n) y[g] = s;
}
