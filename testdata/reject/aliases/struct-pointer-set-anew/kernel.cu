#include <cuda_runtime.h>

struct View {
    const float *data;
    int pitch;
};

struct Pair {
    View in, out;
};

// What the loop stores is what it loads next: the view is set to the output.
__global__ void smooth(View v, float *__restrict__ q, int n)
{
    __shared__ float s[64];
    v.data = q;
    for (int t = 0; t < n; t += 64) {
        s[threadIdx.x] = v.data[t + threadIdx.x];
        __syncthreads();
        float sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += s[i];
        q[t + 64 + threadIdx.x] = sum;
        __syncthreads();
    }
}

__global__ void smooth_inner(Pair p, float *__restrict__ q, int n)
{
    __shared__ float s[64];
    p.in.data = q;
    for (int t = 0; t < n; t += 64) {
        s[threadIdx.x] = p.in.data[t + threadIdx.x];
        __syncthreads();
        float sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += s[i];
        q[t + 64 + threadIdx.x] = sum;
        __syncthreads();
    }
}
