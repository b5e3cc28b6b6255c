// The loop fills a tile that the kernel declares and hands over by reference.
__device__ float weigh_strip(float (&strip)[64], const float *__restrict__ ore, int tons)
{
    float load = 0.f;
    for (int t = 0; t < tons; t += 64) {
        strip[threadIdx.x] = ore[t + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            load += strip[k] * (float)(k ^ threadIdx.x);
        __syncthreads();
    }
    return load;
}

__global__ void weigh(const float *__restrict__ ore, float *__restrict__ scale, int tons)
{
    __shared__ float strip[64];
    scale[threadIdx.x] = weigh_strip(strip, ore, tons);
}
