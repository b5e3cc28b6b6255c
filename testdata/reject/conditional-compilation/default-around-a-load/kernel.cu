// A build may give a macro around the load that scales what is loaded: an asynchronous
// copy would not say it any more. One that chooses the row stays in the copy's text.
#ifndef LOADED
#define LOADED(v) (v)
#endif

#ifndef ROW
#define ROW(i) ((i) * 64)
#endif

__global__ void scaled(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = LOADED(a[ROW(i) + t]);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j ^ t] * j;
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void plain(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[ROW(i) + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j ^ t] * j;
        __syncthreads();
    }
    out[t] = sum;
}
