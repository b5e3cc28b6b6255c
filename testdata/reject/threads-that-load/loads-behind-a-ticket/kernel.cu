// A ticket is drawn by every thread: one that loads would draw another.
__device__ int tickets;

__global__ void drawn(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    int mine = atomicAdd(&tickets, 1);
    float sum = 0;
    // tiles
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.x] = x[i + threadIdx.x];
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        __syncthreads();
    }
    out[mine] = sum;
}

void run(const float *x, float *out, int n) { drawn<<<4, 64>>>(x, out, n); }
