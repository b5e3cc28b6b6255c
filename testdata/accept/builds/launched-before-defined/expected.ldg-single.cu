// Weighted distance sums of points to centres, a batch of centres at a time. The
// kernel and what it calls are declared first, launched next, and defined last.
#include <cuda_runtime.h>

template <typename T>
__global__ void centre_sums(const T *__restrict__ centres, const T *__restrict__ points, T *__restrict__ sums,
                            int batches, int npoints);
template <typename T> __device__ T gap(T a, T b);
template <typename T> __device__ T centre_at(const T *centres, int i);
__global__ void scale_sums(float *sums, float by, int n);

const int WIDTH = 64;

void centre_sums_cuda(const float *centres, const float *points, float *sums, int batches, int npoints)
{
    const int blocks = (npoints + WIDTH - 1) / WIDTH;
    centre_sums<<<blocks, WIDTH>>>(centres, points, sums, batches, npoints);
    scale_sums<<<blocks, WIDTH>>>(sums, 0.5f, npoints);
}

void centre_sums_cuda(const double *centres, const double *points, double *sums, int batches, int npoints)
{
    centre_sums<<<(npoints + WIDTH - 1) / WIDTH, WIDTH>>>(centres, points, sums, batches, npoints);
}

// pipelinify: launch centre_sums<float>
//   sizes    batches=0,1,2,3,7 npoints=64
//   sizes    batches=5 npoints=1,150
//   target   batches=256 npoints=16384
//   grid     (npoints + 63) / 64
//   block    64
//   centres: in  [batches * 64]
//   points:  in  [npoints]
//   sums:    inout [npoints]
//   batches: batches
//   npoints: npoints
// pipelinify: launch centre_sums<double>
//   sizes    batches=0,1,4 npoints=100
//   target   batches=256 npoints=16384
//   grid     (npoints + 63) / 64
//   block    64
//   centres: in  [batches * 64]
//   points:  in  [npoints]
//   sums:    inout [npoints]
//   batches: batches
//   npoints: npoints
template <typename T>
__global__ void centre_sums(
    const T *__restrict__ centres,
    const T *__restrict__ points,
    T *__restrict__ sums,
    int batches, int npoints)
{
    __shared__ T centre[WIDTH];
    const int p = WIDTH * blockIdx.x + threadIdx.x;
    const T mine = p < npoints ? points[p] : T(0);
    T sum;
    int k;

    // pipelinify: ldg-single, 1 stage, source 976c3e9b
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    int b = 0;
    if (b < batches)
    {
        auto compute_tile = [&]()
        {
            sum = 0;
            for (k = 0; k < WIDTH; ++k)
                sum += gap(mine, centre[k]);
            if (p < npoints)
                sums[p] += sum;
        };
        centre[threadIdx.x] = centre_at(centres, b * WIDTH + threadIdx.x);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++b; b < batches; ++b)
        {
            T centre_next = centre_at(centres, b * WIDTH + threadIdx.x);
            compute_tile();
            __syncthreads();
            centre[threadIdx.x] = centre_next;
            __syncthreads();
        }
        compute_tile();
    }
}

template <typename T> __device__ T gap(T a, T b) { return (a - b) * (a - b); }

template <typename T> __device__ T centre_at(const T *centres, int i) { return centres[i]; }

__global__ void scale_sums(float *sums, float by, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        sums[i] *= by;
}
