// The block has 1024 threads: there is no room for others.
__global__ void full(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float tile[1024];
    float sum = 0;
    // tiles
    for (int i = 0; i < n; i += 1024) {
        tile[threadIdx.x] = x[i + threadIdx.x];
        __syncthreads();
        sum += tile[1023 - threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 1024 + threadIdx.x] = sum;
}

void run(const float *x, float *out, int n) { full<<<4, 1024>>>(x, out, n); }
