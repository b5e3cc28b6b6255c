// A block of 48 threads: a warp would have both roles.
__global__ void ragged(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float tile[48];
    float sum = 0;
    // tiles
    for (int i = 0; i < n; i += 48) {
        tile[threadIdx.x] = x[i + threadIdx.x];
        __syncthreads();
        sum += tile[47 - threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 48 + threadIdx.x] = sum;
}

void run(const float *x, float *out, int n) { ragged<<<4, 48>>>(x, out, n); }
