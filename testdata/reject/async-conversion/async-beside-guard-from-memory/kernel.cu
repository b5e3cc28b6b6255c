// The tile that would pass through registers is guarded by what memory holds, and the guard would be read
// twice: for the load, and for the store behind compute.
__global__ void kept_rows(const float4 *__restrict__ X, const unsigned char *__restrict__ Y, const int *keep,
                          float *__restrict__ out, int n)
{
    __shared__ float4 xs[64];
    __shared__ float ys[64];
    float acc = 0.0f;
    for (int k0 = 0; k0 < n; k0 += 64) {
        xs[threadIdx.x] = X[k0 + threadIdx.x];
        if (keep[k0 + threadIdx.x])
            ys[threadIdx.x] = Y[k0 + threadIdx.x] * 0.5f;
        else
            ys[threadIdx.x] = 0.0f;
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            acc += xs[k].x * ys[(k + threadIdx.x) % 64];
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}
