// Threads whose sum has overflowed leave by an instruction; they load no further tiles.
__global__ void sum_until_overflow(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
    __shared__ float part[64];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = in[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k];
        if (sum > 1e30f)
            asm volatile("exit;");
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
