// The function's asynchronous copies could land behind the kernel's own store
// into the last cell.
__device__ void load(float (&row)[256], const float *src)
{
    row[threadIdx.x] = src[threadIdx.x];
}

__global__ void weighted(const float *__restrict__ A, float *__restrict__ out, int n)
{
    __shared__ float row[256];
    float acc = 0.0f;
    for (int k0 = 0; k0 < n; k0 += 256) {
        load(row, A + k0);
        if (threadIdx.x == 255)
            row[255] = 1.0f;
        __syncthreads();
        for (int k = 0; k < 256; ++k)
            acc += row[k] * (k ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}
