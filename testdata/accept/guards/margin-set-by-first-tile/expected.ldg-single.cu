#include <cuda_runtime.h>

// A window of samples beside a margin of ones, which the threads that have no sample
// to load set with the first tile only: the tile keeps it for the others.
//
// pipelinify: launch windowed_sums
//   sizes    n=0,1,47,48,49,96,97,144,200
//   target   n=1048576
//   grid     2
//   block    64
//   x:       in    [n] range(-1, 1)
//   y:       inout [128] range(-1, 1)
//   n:       n
__global__ void windowed_sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float window[64];
    const int tid = threadIdx.x;
    float sum = 0.f;

    // pipelinify: ldg-single, 1 stage, source bf3dca56
    int first = 0;
    if (first < n) {
        if (tid < 48)
            window[tid] = first + tid < n ? x[first + tid] : 0.f;
        if (first == 0 && tid >= 48)
            window[tid] = 1.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += 48; first < n; first += 48) {
            float window_next;
            if (tid < 48)
                window_next = first + tid < n ? x[first + tid] : 0.f;

            for (int i = 0; i < 64; ++i)
                sum += window[i] * (i + tid);
            __syncthreads();
            if (tid < 48)
                window[tid] = window_next;
            if (first == 0 && tid >= 48)
                window[tid] = 1.f;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += window[i] * (i + tid);
    }
    y[blockIdx.x * 64 + tid] += sum;
}
