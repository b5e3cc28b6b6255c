// A statement of the load phase that a macro makes: the store is not in the
// kernel's own text.
#define PUT(cell, value)    \
    do {                    \
        (cell) = (value);   \
    } while (0)

__global__ void row_dots(const float *__restrict__ A, const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float part[256];
    float acc = 0.0f;
    for (int i = 0; i < n; i += 256) {
        PUT(part[threadIdx.x], x[i + threadIdx.x]);
        __syncthreads();
        for (int k = 0; k < 256; ++k)
            acc += part[k] * A[threadIdx.x * n + i + k];
        __syncthreads();
    }
    y[threadIdx.x] = acc;
}
