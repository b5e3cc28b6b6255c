// One file, built with -DDOUBLE_PRECISION and without. A register for the part of a
// vector would be a float in the one build and a double in the other.
#ifdef DOUBLE_PRECISION
typedef double real;
typedef double2 real2;
#else
typedef float real;
typedef float2 real2;
#endif

#define TILE 128

__global__ void __launch_bounds__(TILE)
column_heights(const real2 *__restrict__ points, real *__restrict__ sum, int tiles)
{
    __shared__ real height[TILE];
    const int t = threadIdx.x;
    real total = 0;
    for (int k = 0; k < tiles; ++k) {
        height[t] = points[k * TILE + t].y * 2 + 1;
        __syncthreads();
        for (int j = 0; j < TILE; ++j)
            total += height[(j + t) % TILE] / (j + 1);
        __syncthreads();
    }
    sum[blockIdx.x * TILE + t] = total;
}

// Here the text is the same for both.
__global__ void __launch_bounds__(TILE)
sums_of_all(const real *__restrict__ x, real *__restrict__ sum, int tiles)
{
    __shared__ real part[TILE];
    const int t = threadIdx.x;
    real total = 0;
    for (int k = 0; k < tiles; ++k) {
        part[t] = x[k * TILE + t];
        __syncthreads();
        for (int j = 0; j < TILE; ++j)
            total += part[(j + t) % TILE] / (j + 1);
        __syncthreads();
    }
    sum[blockIdx.x * TILE + t] = total;
}
