// Rows are narrowed on their way to the tile, by functions of a header that choose.
#include "narrow.cuh"

// pipelinify: launch narrowed_dots
//   sizes   k=0,1,31,32,33,64,96,200
//   target  k=65536
//   grid    3
//   block   32
//   a:      in  [96 * k]
//   b:      in  [k]
//   out:    out [96]
//   k:      k
__global__ void narrowed_dots(const float *__restrict__ a, const float *__restrict__ b,
                              float *__restrict__ out, int k)
{
    __shared__ narrow rows_stage[2][32][33];
    __shared__ float weights_stage[2][32];
    float sum = 0;
    // pipelinify: ldg, 2 stages, source ad716c7f
    int first = 0, stage = 0;
    if (first < k) {
        {
            int column = first + threadIdx.x;
            for (int r = 0; r < 32; ++r)
                rows_stage[0][r][threadIdx.x] =
                    narrow(column < k ? a[(blockIdx.x * 32 + r) * k + column] * 8 : 0.0f);
            weights_stage[0][threadIdx.x] =
                column < k ? narrow_value(narrow_bits(b[column])) : 0.0f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += 32; first < k; first += 32) {
            narrow rows_next[32];
            int column = first + threadIdx.x;
            #pragma unroll
            for (int r = 0; r < 32; ++r)
                rows_next[r] =
                    narrow(column < k ? a[(blockIdx.x * 32 + r) * k + column] * 8 : 0.0f);
            float weights_next = column < k ? narrow_value(narrow_bits(b[column])) : 0.0f;
            for (int i = 0; i < 32; ++i)
                sum += rows_stage[stage][threadIdx.x][i] * weights_stage[stage][i];
            stage ^= 1;
            #pragma unroll
            for (int r = 0; r < 32; ++r)
                rows_stage[stage][r][threadIdx.x] = rows_next[r];
            weights_stage[stage][threadIdx.x] = weights_next;
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i)
            sum += rows_stage[stage][threadIdx.x][i] * weights_stage[stage][i];
    }
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
