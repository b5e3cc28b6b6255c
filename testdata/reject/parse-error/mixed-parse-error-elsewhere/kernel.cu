// One kernel still names a constant that is gone; its neighbour must not suffer.
#define TILE 32

__global__ void broken_sum(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float s[TILE];
    float a = 0.f;
    for (int i = 0; i < n; i += TILE) {
        s[threadIdx.x] = in[i * IN_PITCH + threadIdx.x];
        __syncthreads();
        a += s[TILE - 1 - threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * TILE + threadIdx.x] = a;
}

__global__ void whole_sum(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float s[TILE];
    float a = 0.f;
    for (int i = 0; i < n; i += TILE) {
        s[threadIdx.x] = in[i + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < TILE; ++j)
            a += s[j] * (float)(j + threadIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * TILE + threadIdx.x] = a;
}
