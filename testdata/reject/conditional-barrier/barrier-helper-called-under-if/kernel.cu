// The barrier is two calls away, and the outer one is conditional.
__device__ void wait_block() { __syncthreads(); }
__device__ void wait_readers() { wait_block(); }

__global__ void guarded_wait(const float *__restrict__ keys, const float *__restrict__ x,
                             float *__restrict__ out, int tiles, int readers)
{
    __shared__ float k[64];
    const int t = threadIdx.x;
    float s = 0.f;
    for (int i = 0; i < tiles; i++) {
        k[t] = keys[i * 64 + t];
        wait_block();
        for (int j = 0; j < 64; j++)
            s += k[j] * x[(i * 64 + j) * 64 + t];
        if (t < readers)
            wait_readers();
    }
    out[blockIdx.x * 64 + t] = s;
}
