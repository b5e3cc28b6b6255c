// Rows of two matrices, brought by objects that the loop's header moves on.
#include <cuda_runtime.h>

struct RowSource {
    const float *row;
    int length;

    __device__ float at(int i) const { return i < length ? row[i] : 0.0f; }
    __device__ RowSource &operator+=(int n)
    {
        row += n;
        length -= n;
        return *this;
    }
};

// pipelinify: launch row_dots
//   sizes    n=0,1,31,32,64,100
//   target   n=65536
//   grid     3
//   block    32
//   a:       in  [3 * n]
//   b:       in  [3 * n]
//   out:     out [96]
//   n:       n
__global__ void row_dots(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n)
{
    __shared__ float as_stage[2][32], bs_stage[2][32];
    RowSource left = {a + blockIdx.x * n, n}, right = {b + blockIdx.x * n, n};
    float sum = 0.0f;

    // pipelinify: ldg, 2 stages, source d7bbb366
    int k = 0, stage = 0;
    if (k < n) {
        as_stage[0][threadIdx.x] = left.at(threadIdx.x);
        bs_stage[0][threadIdx.x] = right.at(threadIdx.x);
        k += 32, left += 32, right += 32;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; k < n; k += 32, left += 32, right += 32) {
            float as_next = left.at(threadIdx.x);
            float bs_next = right.at(threadIdx.x);
            for (int i = 0; i < 32; ++i)
                sum += as_stage[stage][i] * bs_stage[stage][(i + threadIdx.x) % 32];
            stage ^= 1;
            as_stage[stage][threadIdx.x] = as_next;
            bs_stage[stage][threadIdx.x] = bs_next;
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i)
            sum += as_stage[stage][i] * bs_stage[stage][(i + threadIdx.x) % 32];
    }
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
