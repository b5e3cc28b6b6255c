// No launch is in sight that could give the block more threads.
__global__ void __launch_bounds__(64) launched_elsewhere(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    // tiles
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.x] = x[i + threadIdx.x];
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
