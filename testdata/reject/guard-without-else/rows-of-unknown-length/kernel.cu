#define CHUNK 128

// How long a row of threads is, the caller says: the number of a thread may wrap, and
// the place that it loads from does not.
__global__ void sums(const float *__restrict__ x, float *__restrict__ y, long n, unsigned row)
{
    __shared__ float chunk[CHUNK];
    const int t = threadIdx.y * row + threadIdx.x;
    const long far = (long)threadIdx.y * row + threadIdx.x;
    float acc = 0.f;
    for (long k = 0; k < n; k += CHUNK) {
        if (t < CHUNK && k + far < n)
            chunk[t] = x[k + far];
        __syncthreads();
        const int count = n - k < CHUNK ? n - k : CHUNK;
        for (int i = 0; i < count; ++i)
            acc += chunk[i];
        __syncthreads();
    }
    y[blockIdx.x * CHUNK + t] = acc;
}
