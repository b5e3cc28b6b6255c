// Where the next tile lies is read from memory: each thread reads its own, the loop may store there,
// another thread stores it, or compute has a say in it.
#define T 128
__global__ void own_links(const float *__restrict__ a, const int *__restrict__ next, float *__restrict__ out)
{
    __shared__ float s[T];
    float sum = 0.f;
    int w = threadIdx.x;
    while (w >= 0) {
        s[threadIdx.x] = a[w * T + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j) sum += s[j] * w;
        __syncthreads();
        w = next[w];
    }
    out[threadIdx.x] = sum;
}

__global__ void stored_by_another_name(const float *__restrict__ a, int *next, int *seen, float *__restrict__ out, int first)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int w = first; w >= 0; w = next[w]) {
        s[threadIdx.x] = a[w * T + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j) sum += s[j] * w;
        seen[w] = 1;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void stored(const float *__restrict__ a, int *next, float *__restrict__ out, int first)
{
    __shared__ float s[T];
    float sum = 0.f;
    int w = first;
    while (w >= 0) {
        s[threadIdx.x] = a[w * T + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j) sum += s[j] * w;
        next[w + 1] = -1;
        __syncthreads();
        w = next[w];
    }
    out[threadIdx.x] = sum;
}

__global__ void shared_by_some(const float *__restrict__ a, const int *__restrict__ next, float *__restrict__ out, int first)
{
    __shared__ float s[T];
    __shared__ int where[4];
    float sum = 0.f;
    if (threadIdx.x < 4) where[threadIdx.x] = next[threadIdx.x];
    for (int w = first; w < 100; w += where[w & 3]) {
        s[threadIdx.x] = a[w * T + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j) sum += s[j] * w;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void chosen_by_compute(const float *__restrict__ a, const int *__restrict__ length, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    int w = 0, hits = 0;
    for (int i = 0; i < n; i++) {
        s[threadIdx.x] = a[w + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            if (s[j] > 0) ++hits;
        __syncthreads();
        w += length[hits];
    }
    out[threadIdx.x] = hits;
}
