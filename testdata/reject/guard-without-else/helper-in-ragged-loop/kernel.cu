// The last tile is shorter: its calls leave cells as the tile before left them,
// which another stage would not have.
__device__ void copy1(float *dst, const float *src)
{
    *dst = *src;
}

__global__ void weighted(const float *__restrict__ A, float *__restrict__ out, int n)
{
    __shared__ float row[256];
    float acc = 0.0f;
    for (int k0 = 0; k0 < n; k0 += 256) {
        for (int i = threadIdx.x; i < min(256, n - k0); i += 64)
            copy1(&row[i], &A[k0 + i]);
        __syncthreads();
        for (int k = 0; k < 256; ++k)
            acc += row[k] * (k ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}
