// Moments of the rows of a tile, with range-based loops over the tile, over its
// rows, over the thread's own arrays and over a list.
#include <initializer_list>

// pipelinify: launch row_moments<8>
//   sizes n=0,1,2,5
//   target n=4096
//   grid 2
//   block 64
//   a: in [n * 2 * 64]
//   out: out [2 * 64 * 3]
//   n: n
template <int W>
__global__ void row_moments(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64 / W][W];
    const int steps[] = {1, 3};
    float sum[3] = {};
    float top = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 1578666a
    int k = 0, k_tile = k;
    if (k < n) {
        auto compute_tile = [&]() {
            for (const auto &row : s)
                for (float v : row)
                    top = fmaxf(top, v * k_tile);
            for (const float &v : s[threadIdx.x / W])
                sum[0] += v;
            for (int i : {1, 2})
                for (const int step : steps)
                    sum[i] += s[threadIdx.x / W][(threadIdx.x + i * step) % W];
        };
        s[threadIdx.x / W][threadIdx.x % W] = a[(k * 2 + blockIdx.x) * 64 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float s_next = a[(k * 2 + blockIdx.x) * 64 + threadIdx.x];
            compute_tile();
            ++k_tile;
            __syncthreads();
            s[threadIdx.x / W][threadIdx.x % W] = s_next;
            __syncthreads();
        }
        compute_tile();
    }
    for (float &v : sum)
        v += top;
    for (int i = 0; i < 3; ++i)
        out[(blockIdx.x * 64 + threadIdx.x) * 3 + i] = sum[i];
}

template __global__ void row_moments<8>(const float *, float *, int);
