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
    // pipelinify: ldg-single, 1 stage, source 26edc3db
    static_assert(__is_trivially_copyable(Kept) && !__is_same(Kept, volatile Kept),
                  "Kept must be plain data and not volatile");
    int first = 0, first_tile = first;
    if (first < centres) {
        auto compute_tile = [&]() {
            for (int i = 0; i < 64 && first_tile + i < centres; ++i) {
                const float d = x - (float)tile[i];
                if (d * d < least) {
                    least = d * d;
                    found = first_tile + i;
                }
            }
        };
        if (first + t < centres)
            tile[t] = centre[first + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += 64; first < centres; first += 64) {
            float tile_next;
            if (first + t < centres)
                tile_next = centre[first + t];
            compute_tile();
            first_tile += 64;
            __syncthreads();
            if (first + t < centres)
                tile[t] = tile_next;
            __syncthreads();
        }
        compute_tile();
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
    // pipelinify: ldg-single, 1 stage, source ee5469af
    static_assert(__is_trivially_copyable(Kept) && !__is_same(Kept, volatile Kept),
                  "Kept must be plain data and not volatile");
    int first = 0;
    if (first < points) {
        tile[t] = first + t < points ? at[first + t] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += 64; first < points; first += 64) {
            float tile_next = first + t < points ? at[first + t] : 0.f;
            for (int i = 0; i < 64; ++i)
                sum += (float)tile[i] * (float)tile[(i + t) % 64];
            __syncthreads();
            tile[t] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += (float)tile[i] * (float)tile[(i + t) % 64];
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
    // pipelinify: ldg-single, 1 stage, source bf55b998
    static_assert(__is_trivially_copyable(Kept) && !__is_same(Kept, volatile Kept),
                  "Kept must be plain data and not volatile");
    int first = 0;
    if (first < points) {
        tile[t] = first + t < points ? hits[first + t] : 0;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += 64; first < points; first += 64) {
            int tile_next = first + t < points ? hits[first + t] : 0;
            for (int i = 0; i < 64; ++i)
                sum += (float)tile[i] * (float)tile[(i + t) % 64];
            __syncthreads();
            tile[t] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += (float)tile[i] * (float)tile[(i + t) % 64];
    }
    sums[t] = sum;
}

template __global__ void counted<float>(const int *, float *, int);
