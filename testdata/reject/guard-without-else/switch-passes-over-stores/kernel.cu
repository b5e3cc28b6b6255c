#define T 64

// A continue in a switch decides what is stored: in every third tile, nothing is.
__global__ void all_or_none(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int b = 0; b < n; b += T) {
        for (int i = threadIdx.x; i < T; i += 32) {
            switch (b / T % 3) {
            case 1: continue;
            default: break;
            }
            s[i] = x[b + i];
        }
        __syncthreads();
        for (int j = 0; j < T; ++j) sum += s[j] * (float)(j + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// And in others, no more than there is left.
__global__ void all_that_is_left(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int b = 0; b < n; b += T) {
        for (int i = threadIdx.x; i < T; i += 32) {
            switch (b / T % 3) {
            case 1: continue;
            default: break;
            }
            if (b + i < n) s[i] = x[b + i];
        }
        __syncthreads();
        for (int j = 0; j < T && b + j < n; ++j) sum += s[j] * (float)(j + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
