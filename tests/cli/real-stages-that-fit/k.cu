__global__ void __launch_bounds__(256)
scale(const float4 *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float4 tile[1280];
    float sum = 0;
    for (int k = 0; k < n; k++) {
        for (int i = threadIdx.x; i < 1280; i += 256)
            tile[i] = a[k * 1280 + i];
        __syncthreads();
        for (int i = 0; i < 1280; i++)
            sum += tile[i].x * tile[(i + threadIdx.x) % 1280].y;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
