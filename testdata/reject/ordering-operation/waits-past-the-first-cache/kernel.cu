// Another block says by a flag that its part is there; __ldcg looks for it in the cache
// that blocks share. A value that is only read there is none of that.
__device__ int there[64];

__device__ void wait_for(const int *flag)
{
    int seen;
    do {
        seen = __ldcg(flag);
    } while (seen == 0);
}

__global__ void waits_itself(const float *a, float *out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        if (t == 0)
            while (__ldcg(&there[i]) == 0)
                ;
        __syncthreads();
        s[t] = a[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j ^ t] * j;
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void waits_by_a_function(const float *a, float *out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        if (t == 0)
            wait_for(&there[i]);
        __syncthreads();
        s[t] = a[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j ^ t] * j;
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void waits_until_it_leaves(const float *a, float *out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j ^ t] * j;
        for (;;)
            if (__ldcg(&there[i + 1]) != 0)
                break;
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void reads(const float *a, float *out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = __ldcg(&a[i * 64 + t]);
        const int rows = __ldcg(&there[i]);
        __syncthreads();
        for (int j = 0; j < 64 && j < rows; ++j)
            sum += s[j ^ t] * j;
        __syncthreads();
    }
    out[t] = sum;
}
