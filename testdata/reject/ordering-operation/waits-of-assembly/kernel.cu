// Another block says by a flag that its part is there. Assembly reads it in an order of
// memory, wherever that stands among the qualifiers of the load, or past the first cache,
// and a function may call another that does.
__device__ int there[64];

__device__ int look(const int *flag)
{
    return __ldcg(flag);
}

__device__ int look_by_assembly(const int *flag)
{
    int seen;
    asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(seen) : "l"(flag));
    return seen;
}

__device__ void wait_for(const int *flag)
{
    while (!look(flag))
        ;
}

__global__ void acquires(const float *a, float *out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        if (t == 0) {
            int seen;
            do
                asm volatile("ld.global.acquire.gpu.b32 %0, [%1];\n" : "=r"(seen) : "l"(&there[i]));
            while (seen == 0);
        }
        __syncthreads();
        s[t] = a[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j ^ t] * j;
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void reads_anew(const float *a, float *out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        int rows;
        asm("ld.cv.b32 %0, [%1];" : "=r"(rows) : "l"(&there[i]));
        s[t] = a[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64 && j < rows; ++j)
            sum += s[j ^ t] * j;
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void looks_past_the_first_cache(const float *a, float *out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        if (t == 0) {
            int seen;
            do
                asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(seen) : "l"(&there[i]));
            while (seen == 0);
        }
        __syncthreads();
        s[t] = a[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j ^ t] * j;
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void waits_two_calls_deep(const float *a, float *out, int n)
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

__global__ void waits_by_what_a_function_reads(const float *a, float *out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        if (t == 0)
            for (int seen = 0; seen == 0;)
                seen = look_by_assembly(&there[i]);
        __syncthreads();
        s[t] = a[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j ^ t] * j;
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
        float x;
        asm("ld.global.nc.L1::no_allocate.f32 %0, [%1];" : "=f"(x) : "l"(a + i * 64 + t));
        s[t] = x;
        const int rows = look_by_assembly(&there[i]);
        __syncthreads();
        for (int j = 0; j < 64 && j < rows; ++j)
            sum += s[j ^ t] * j;
        __syncthreads();
    }
    out[t] = sum;
}
