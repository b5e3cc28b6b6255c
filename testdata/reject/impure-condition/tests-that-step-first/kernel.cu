// Tests that step before they ask, and that another side reads, or that do more.
__global__ void asks_of_itself(const float *__restrict__ x, const int *__restrict__ skip, float *__restrict__ out, int tiles)
{
    __shared__ float line[32];
    float sum = 0.f;
    int t = -1;
    while (++t < tiles - t) {
        if (skip[t]) continue;
        line[threadIdx.x] = x[t * 32 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 32; ++i) sum += line[i];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void steps_both(const float *__restrict__ x, const int *__restrict__ skip, float *__restrict__ out, int tiles)
{
    __shared__ float line[32];
    float sum = 0.f;
    int t = -1, passes = 0;
    while (++t < tiles - passes++) {
        if (skip[t]) continue;
        line[threadIdx.x] = x[t * 32 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 32; ++i) sum += line[i];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void old_value(const float *__restrict__ x, const int *__restrict__ skip, float *__restrict__ out, int tiles)
{
    __shared__ float line[32];
    float sum = 0.f;
    int t = -1;
    while (t++ < tiles) {
        if (skip[t]) continue;
        line[threadIdx.x] = x[t * 32 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 32; ++i) sum += line[i];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

struct header {
    int words[16];
};

// The step is a size of a type, and a number of the body has its name.
__global__ void by_headers(const float *__restrict__ x, float *__restrict__ out, int left)
{
    __shared__ float line[32];
    float sum = 0.f;
    for (; left-- > 0; x += sizeof(header)) {
        line[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        double header = left * 0.5;
        for (int i = 0; i < 32; ++i) sum += line[i] * header;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// By a macro, and of a type that the body makes.
#define HEADER sizeof(header)
__global__ void by_macro(const float *__restrict__ x, float *__restrict__ out, int left)
{
    __shared__ float line[32];
    float sum = 0.f;
    for (; left-- > 0; x += HEADER) {
        line[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        using header = char;
        for (int i = 0; i < 32; ++i) sum += line[i] * (header)i;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
