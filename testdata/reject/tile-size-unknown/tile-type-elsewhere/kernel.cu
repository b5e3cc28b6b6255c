// Means of rows, in the precision that the traits name. The instantiations are
// compiled in files of their own.
template <class Traits>
__global__ void row_means(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ typename Traits::cell tile[16][33];
    int tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        tile[ty][tx] = in[(t * 16 + ty) * 32 + tx];
        __syncthreads();
        for (int k = 0; k < 32; ++k)
            sum += tile[ty][k];
        __syncthreads();
    }
    out[ty * 32 + tx] = sum / (32 * tiles);
}

struct Single { typedef float cell; };
struct Double { typedef double cell; };
extern template __global__ void row_means<Single>(const float *, float *, int);
extern template __global__ void row_means<Double>(const float *, float *, int);
