// A build may give another type with -DREAL=double: the text that is made of this one
// has registers of floats, and stops there.
#ifndef REAL
#define REAL float /* unless -DREAL says so */
#endif
#ifndef INDEX
#define INDEX int
#endif

typedef REAL value;

// pipelinify: launch heights
//   sizes    tiles=0,1,2,3,5
//   block    64
//   points:  in [tiles * 64 + 64] random
//   sums:    out [64]
//   tiles:   tiles
__global__ void __launch_bounds__(64)
heights(const value *__restrict__ points, REAL *__restrict__ sums, INDEX tiles)
{
    __shared__ REAL height[64];
    const int x = threadIdx.x;
    value sum = 0;
    // pipelinify: ldg-single, 1 stage, source 8be3384a
    static_assert(__is_same(REAL, float),
                  "pipelined for this REAL alone: run pipelinify again for another");
    static_assert(__is_same(INDEX, int),
                  "pipelined for this INDEX alone: run pipelinify again for another");
    INDEX t = 0;
    if (t < tiles) {
        height[x] = points[t * 64 + x] * 2 + points[t * 64 + (x ^ 1)];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            value height_next = points[t * 64 + x];
            value height_next2 = points[t * 64 + (x ^ 1)];
            for (int k = 0; k < 64; ++k)
                sum = sum / 2 + height[k] * (k ^ x);
            __syncthreads();
            height[x] = height_next * 2 + height_next2;
            __syncthreads();
        }
        for (int k = 0; k < 64; ++k)
            sum = sum / 2 + height[k] * (k ^ x);
    }
    sums[blockIdx.x * 64 + x] = sum;
}
