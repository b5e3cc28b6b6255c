// The loop fills a tile that its callers hand over by reference: one declares
// it in shared memory, the other has it in a buffer of all blocks.
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

__global__ void weigh_in_buffer(float *buffers, const float *__restrict__ ore, float *__restrict__ scale, int tons)
{
    float (*strips)[64] = reinterpret_cast<float (*)[64]>(buffers);
    scale[threadIdx.x] = weigh_strip(strips[blockIdx.x], ore, tons);
}
