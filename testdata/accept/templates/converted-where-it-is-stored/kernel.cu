#include <cuda_runtime.h>

// Distances of points to the centres of clusters. The centres are kept as the template's
// argument has it, of numbers in sight and of classes that other sources bring: what such a
// class makes of a float that it is set to, it need not make of one that it begins with.
// pipelinify: launch nearest<float>
//   sizes    points=64,100 centres=0,1,63,64,65,200
//   target   points=1000000 centres=4096
//   grid     (points + 63) / 64
//   block    64
//   at:      in  [points] range(-1, 1)
//   centre:  in  [centres] range(-1, 1)
//   best:    out [points]
//   points:  points
//   centres: centres
template <class Kept>
__global__ void nearest(const float *__restrict__ at, const float *__restrict__ centre,
                        int *__restrict__ best, int points, int centres)
{
    __shared__ Kept tile[64];
    const int t = threadIdx.x, point = blockIdx.x * 64 + t;
    const float x = point < points ? at[point] : 0.f;
    float least = 3e38f;
    int found = -1;
    for (int first = 0; first < centres; first += 64) {
        if (first + t < centres)
            tile[t] = centre[first + t];
        __syncthreads();
        for (int i = 0; i < 64 && first + i < centres; ++i) {
            const float d = x - (float)tile[i];
            if (d * d < least) {
                least = d * d;
                found = first + i;
            }
        }
        __syncthreads();
    }
    if (point < points)
        best[point] = found;
}

void find(const float *at, const float *centre, int *best, int points, int centres)
{
    nearest<float><<<(points + 63) / 64, 64>>>(at, centre, best, points, centres);
}

// No argument is in sight; a ragged end is filled.
template <class Kept>
__global__ void __launch_bounds__(64) spread(const float *__restrict__ at, float *__restrict__ sums, int points)
{
    __shared__ Kept tile[64];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int first = 0; first < points; first += 64) {
        tile[t] = first + t < points ? at[first + t] : 0.f;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += (float)tile[i] * (float)tile[(i + t) % 64];
        __syncthreads();
    }
    sums[t] = sum;
}

// Counts are kept as a float, which is another type in sight as well: what a class makes of an
// int that it is set to, it need not make of one that it begins with.
// pipelinify: launch counted<float>
//   sizes    points=0,1,63,64,65,200
//   grid     1
//   block    64
//   hits:    in  [points] range(0, 9)
//   sums:    out [64]
//   points:  points
template <class Kept>
__global__ void __launch_bounds__(64) counted(const int *__restrict__ hits, float *__restrict__ sums, int points)
{
    __shared__ Kept tile[64];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int first = 0; first < points; first += 64) {
        tile[t] = first + t < points ? hits[first + t] : 0;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += (float)tile[i] * (float)tile[(i + t) % 64];
        __syncthreads();
    }
    sums[t] = sum;
}

template __global__ void counted<float>(const int *, float *, int);
