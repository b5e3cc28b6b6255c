// How many rounds a copy loop makes is for the block size to say. What a smaller
// block leaves would be fetched with the stores, where the cursor has moved on.
__global__ void moved_behind(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ o, int n)
{
    __shared__ float strip[512];
    __shared__ float row[32];
    const int t = threadIdx.x;
    const float *next = a;
    float s = 0;
    for (int k0 = 0; k0 < n; k0 += 32) {
        for (int i = t; i < 512; i += blockDim.x)
            strip[i] = next[i];
        next += 512;
        if (t < 32)
            row[t] = b[k0 + t];
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            s += strip[(i * 16 + t) % 512] * row[i];
        __syncthreads();
    }
    o[t] = s;
}

// The guard of the store asks for the cursor that the header moves on.
__global__ void cursor_in_the_guard(const float *__restrict__ a, float *__restrict__ o, int n, int limit)
{
    __shared__ float strip[512];
    const int t = threadIdx.x;
    int next = t;
    float s = 0;
    for (int k0 = 0; k0 < n; k0 += 32) {
        for (int i = t; i < 512; i += 64, next += 64)
            if (next < limit)
                strip[i] = a[k0 * 16 + i];
            else
                strip[i] = 0.f;
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            s += strip[(i * 16 + t) % 512];
        __syncthreads();
    }
    o[t] = s;
}
