// Pointers of the function's own whose __restrict__ says nothing of the loop: one is made anew in
// each iteration, one is what the other one is made of.
__global__ void made_anew(const float *x, float *y, int tiles)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int k = 0; k < tiles; ++k) {
        const float *__restrict__ from = x + k * 64;
        s[threadIdx.x] = from[threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j] * j;
        y[k * 64 + threadIdx.x] = sum;
        __syncthreads();
    }
}

__global__ void made_of_the_other(float *x, int tiles)
{
    __shared__ float s[64];
    float *__restrict__ from = x;
    float *to = from + 1;
    float sum = 0.f;
    for (int k = 0; k < tiles; ++k) {
        s[threadIdx.x] = from[k * 64 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j] * j;
        to[k * 64 + threadIdx.x] = sum;
        __syncthreads();
    }
}

__global__ void set_elsewhere(float *x, float *y, int tiles, int which)
{
    __shared__ float s[64];
    const float *__restrict__ from = x;
    float *to = y;
    if (which)
        to = (float *)from;
    float sum = 0.f;
    for (int k = 0; k < tiles; ++k) {
        s[threadIdx.x] = from[k * 64 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j] * j;
        to[k * 64 + threadIdx.x] = sum;
        __syncthreads();
    }
}
