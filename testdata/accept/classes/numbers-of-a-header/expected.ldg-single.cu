// A template of which numbers it is made is said elsewhere: the operators that a header has
// for its own compute from their operands, whichever of them are meant.
#include "numbers.cuh"

// pipelinify: launch weighed<float>
//   sizes   n=0,1,63,64,65,128,200,320
//   target  n=40000
//   grid    3
//   block   64
//   values: in  [n]
//   weight: in  [192]
//   out:    out [192]
//   n:      n
template <class Number>
__global__ void weighed(const Number *__restrict__ values, const Number *__restrict__ weight,
                        Number *__restrict__ out, int n)
{
    __shared__ Number tile[64];
    Number own = weight[blockIdx.x * 64 + threadIdx.x], sum = own;
    // pipelinify: ldg-single, 1 stage, source d21e79f5
    static_assert(__is_trivially_copyable(Number) && !__is_same(Number, volatile Number),
                  "Number must be plain data and not volatile");
    int first = 0, first_tile = first;
    if (first < n) {
        auto compute_tile = [&]() {
            int last = min(n, first_tile + 64) - first_tile;
            for (int j = 0; j < last; ++j)
                sum += tile[j] * own;
        };
        {
            int last = min(n, first + 64) - first;
            if (threadIdx.x < last)
                tile[threadIdx.x] = values[first + threadIdx.x];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += 64; first < n; first += 64) {
            Number tile_next;
            int last = min(n, first + 64) - first;
            if (threadIdx.x < last)
                tile_next = values[first + threadIdx.x];
            compute_tile();
            first_tile += 64;
            __syncthreads();
            if (threadIdx.x < last)
                tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        compute_tile();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
