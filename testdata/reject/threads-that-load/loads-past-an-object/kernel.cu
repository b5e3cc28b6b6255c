// An object counts where the kernel ends: threads that load would count, too.
struct Counts {
    int *ends;
    __device__ explicit Counts(int *p) : ends(p) {}
    __device__ ~Counts() { atomicAdd(ends, 1); }
};

__global__ void counted(const float *__restrict__ x, float *__restrict__ out, int *ends, int n)
{
    __shared__ float tile[64];
    const Counts counts(ends);
    float sum = 0;
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.x] = x[i + threadIdx.x];
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void run(const float *x, float *out, int *ends, int n) { counted<<<4, 64>>>(x, out, ends, n); }
