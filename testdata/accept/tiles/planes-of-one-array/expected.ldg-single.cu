// Two matrices whose tiles are planes of one shared array.
#include <cuda_runtime.h>

// pipelinify: launch product<8>
//   sizes  n=0,8,9,16,24,40
//   target n=4096
//   grid   1
//   block  8, 8
//   a: in  [8 * n] range(-1, 1)
//   b: in  [8 * n] range(-1, 1)
//   o: out [64]
//   n: n
template <unsigned T>
__global__ void product(const double *__restrict__ a, const double *__restrict__ b, double *__restrict__ o, unsigned n)
{
    __shared__ double planes[2][T][T];
    const unsigned x = threadIdx.x, y = threadIdx.y;
    double sum = 0;
    // pipelinify: ldg-single, 1 stage, source dde451bd
    unsigned k = 0;
    if (k < n) {
        planes[0][y][x] = k + x < n ? a[y * n + k + x] : 0.0;
        planes[1][y][x] = k + y < n ? b[(k + y) * T + x] : 0.0;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += T; k < n; k += T) {
            double planes_next = k + x < n ? a[y * n + k + x] : 0.0;
            double planes_next2 = k + y < n ? b[(k + y) * T + x] : 0.0;
            for (unsigned i = 0; i < T; ++i)
                sum += planes[0][y][i] * planes[1][i][x];
            __syncthreads();
            planes[0][y][x] = planes_next;
            planes[1][y][x] = planes_next2;
            __syncthreads();
        }
        for (unsigned i = 0; i < T; ++i)
            sum += planes[0][y][i] * planes[1][i][x];
    }
    o[y * T + x] = sum;
}

template __global__ void product<8u>(const double *, const double *, double *, unsigned);
