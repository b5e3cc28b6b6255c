// Beside the loads, by a reference, each thread leaves something that compute reads in another one's place.
#include <cuda_runtime.h>

__device__ void leave(float &place, float value) { place = value; }

__global__ void letters(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    __shared__ float box[64];
    const int x = threadIdx.x;
    float s = x;
    for (int t = 0; t < n; ++t) {
        leave(box[x], s);
        tile[x] = a[t * 64 + x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            s += tile[k] * k;
        s += box[63 - x];
        __syncthreads();
        box[x] = 0.0f;
        __syncthreads();
    }
    out[x] = s;
}
