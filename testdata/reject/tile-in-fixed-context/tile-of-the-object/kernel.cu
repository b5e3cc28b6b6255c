// A class walks the tiles; the shared memory is the kernel's, which made the object with it. A
// record that is handed over by value knows it, too.
#define SPAN 64

struct streamed_dot {
    float *span;
    const float *source;
    float sum;

    __device__ void run(int n, float weight)
    {
        for (int at = 0; at < n; at += SPAN) {
            span[threadIdx.x] = source[at + threadIdx.x];
            __syncthreads();
            for (int j = 0; j < SPAN; ++j)
                sum += span[j] * weight;
            __syncthreads();
        }
    }
};

struct request {
    float *span;
    const float *source;
    int n;
};

__device__ float run_request(request r, float weight)
{
    float sum = 0.0f;
    for (int at = 0; at < r.n; at += SPAN) {
        r.span[threadIdx.x] = r.source[at + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < SPAN; ++j)
            sum += r.span[j] * weight;
        __syncthreads();
    }
    return sum;
}

__global__ void dots(const float *__restrict__ x, const float *__restrict__ w,
                     float *__restrict__ out, int n)
{
    __shared__ float memory[SPAN];
    streamed_dot dot{memory, x, 0.0f};
    dot.run(n, w[threadIdx.x]);
    out[blockIdx.x * SPAN + threadIdx.x] = dot.sum + run_request({memory, x, n}, w[threadIdx.x]);
}
