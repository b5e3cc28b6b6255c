// Cells of a template's type are read as words: one of float, four of char, of which a ragged tile may not have written all. The text asks for the one in sight.
#include <cuda_runtime.h>

// pipelinify: launch word_sums<float>
//   sizes    n=128,129,131,257,258,386
//   target   n=4096
//   grid     1
//   block    128
//   samples: in  [n] random
//   out:     out [128]
//   n:       n
template <typename T>
__global__ void __launch_bounds__(128)
word_sums(const T *__restrict__ samples, float *__restrict__ out, int n)
{
    __shared__ __align__(16) T part[128];
    float sum = 0.0f;
    for (int at = 0; at < n; at += 128) {
        if (at + threadIdx.x < n)
            part[threadIdx.x] = samples[at + threadIdx.x];
        __syncthreads();
        const int valid = min(128, n - at);
        for (int i = 0; i < valid; i += 4)
            sum += (*(const int *)&part[i] >> 9) * 0.001f * (i ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

template __global__ void word_sums<float>(const float *, float *, int);
