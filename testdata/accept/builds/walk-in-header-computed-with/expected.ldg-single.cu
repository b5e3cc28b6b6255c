// Rows of two matrices, brought by objects that compute asks for what is left.
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
    __shared__ float as[32], bs[32];
    RowSource left = {a + blockIdx.x * n, n}, right = {b + blockIdx.x * n, n};
    float sum = 0.0f;

    // pipelinify: ldg-single, 1 stage, source 8eb715e8
    int k = 0;
    auto left_tile = left;
    if (k < n) {
        as[threadIdx.x] = left.at(threadIdx.x);
        bs[threadIdx.x] = right.at(threadIdx.x);
        k += 32, left += 32, right += 32;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; k < n; k += 32, left += 32, right += 32) {
            float as_next = left.at(threadIdx.x);
            float bs_next = right.at(threadIdx.x);
            for (int i = 0; i < 32 && i < left_tile.length; ++i)
                sum += as[i] * bs[(i + threadIdx.x) % 32];
            left_tile += 32;
            __syncthreads();
            as[threadIdx.x] = as_next;
            bs[threadIdx.x] = bs_next;
            __syncthreads();
        }
        for (int i = 0; i < 32 && i < left_tile.length; ++i)
            sum += as[i] * bs[(i + threadIdx.x) % 32];
    }
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
