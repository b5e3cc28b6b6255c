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
    for (INDEX t = 0; t < tiles; ++t) {
        height[x] = points[t * 64 + x] * 2 + points[t * 64 + (x ^ 1)];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum = sum / 2 + height[k] * (k ^ x);
        __syncthreads();
    }
    sums[blockIdx.x * 64 + x] = sum;
}
