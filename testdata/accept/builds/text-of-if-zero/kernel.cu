// What was tried and switched off stands between #if 0 and #endif: it goes where its neighbours go.
#include <cuda_runtime.h>

#define T 64

// pipelinify: launch filtered_rows
//   sizes    n=0,1,2,3,4,5,9
//   target   n=4096
//   grid     3
//   block    64
//   x:       in  [n * 64]
//   w:       in  [n * 128]
//   y:       out [3 * 64]
//   n:       n
__global__ void filtered_rows(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n)
{
    __shared__ float s[T], q[2 * T];
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
#if 0
        s[threadIdx.x] = __ldg(&x[k * T + threadIdx.x]); // isn't any faster
#endif
        s[threadIdx.x] = x[k * T + threadIdx.x];
        for (int i = threadIdx.x; i < 2 * T; i += T) {
#if 0
            /* the old layout
            #endif */
#ifdef TRANSPOSED
            q[i] = w[i * n + k];
#else
            q[2 * T - i] = w[k * 2 * T + i];
#endif
#endif
            q[i] = w[k * 2 * T + i];
        }
        __syncthreads();
#if 0
        if (threadIdx.x == 0)
            printf("%d: %f\n", k, s[0]);
        __syncthreads();
#endif // tile
        for (int j = 0; j < T; ++j) {
#if 0
            sum += s[j] * q[j];
#endif
            sum += s[j] * q[(j + threadIdx.x) % (2 * T)];
        }
        __syncthreads();
#if 0
        sum *= 0.5f;
#endif
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}

// pipelinify: launch clipped_sum
//   sizes    n=0,1,63,64,65,128,190,430
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [n]
//   y:       out [64]
//   n:       n
__global__ void clipped_sum(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    int k = 0;
    while (k < n) {
        if (k + (int)threadIdx.x < n)
            s[threadIdx.x] = x[
#if 0
                n - 1 -
#endif
                k + threadIdx.x];
        else
#if 0
            s[threadIdx.x] = x[n - 1];
#endif
            s[threadIdx.x] = 0.f;
        __syncthreads();
        for (int j = 0; j < T; ++j)
#if 0
#pragma unroll
#endif
            sum += fminf(s[j], 0.75f) * (float)(j ^ threadIdx.x);
        __syncthreads();
#if 0
        k += 2 * T;
#endif
        k += T;
    }
    y[threadIdx.x] = sum;
}
