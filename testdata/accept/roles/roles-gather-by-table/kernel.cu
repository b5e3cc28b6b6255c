// Rows are gathered by a table that the block keeps in shared memory: what was put there ahead of the loop is seen by the
// threads that load.
#include <cuda_runtime.h>

// pipelinify: launch gather
//   sizes  n=1,2,5,32 width=64
//   grid   2
//   block  64
//   table: in  [2 * n] below(40)
//   rows:  in  [40 * width]
//   out:   out [2 * 64]
//   n:     n
//   width: width
__global__ void gather(const int *__restrict__ table, const float *__restrict__ rows, float *__restrict__ out, int n,
                       int width)
{
    __shared__ int index[32];
    __shared__ float row[64];
    const int t = threadIdx.x;
    if (t < n)
        index[t] = table[blockIdx.x * n + t];
    __syncthreads();
    float best = -1e30f;
    for (int i = 0; i < n; ++i) {
        row[t] = rows[(size_t)index[i] * width + t];
        __syncthreads();
        best = fmaxf(best, row[t] - 0.25f * row[(t + 17) % 64]);
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = best;
}

template <typename T> void launch(const T *rows, const int *table, T *out, int n, int width)
{
    constexpr int threads = 64;
    gather<<<2, threads>>>(table, rows, out, n, width);
}
template void launch<float>(const float *, const int *, float *, int, int);
