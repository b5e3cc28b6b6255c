// Dynamic shared memory, cut into two rings by hand; a countdown.
#include <cuda_pipeline.h>

__global__ void pairwise(const float *a, const float *b, float *out, int n)
{
    extern __shared__ __align__(16) unsigned char smem[];
    float *as = reinterpret_cast<float *>(smem);
    float *bs = as + 2 * blockDim.x;
    const unsigned t = threadIdx.x, w = blockDim.x;
    unsigned left = n / w, at = 0;
    if (left) {
        __pipeline_memcpy_async(as + t, a + t, 4);
        __pipeline_memcpy_async(bs + t, b + t, 4);
    }
    __pipeline_commit();
    float sum = 0;
    while (left--) {
        unsigned now = at & 1;
        if (left) {
            __pipeline_memcpy_async(as + (now ^ 1) * w + t, a + (at + 1) * w + t, 4);
            __pipeline_memcpy_async(bs + (now ^ 1) * w + t, b + (at + 1) * w + t, 4);
        }
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        for (unsigned i = 0; i < w; i += 8)
            sum += as[now * w + (t + i) % w] * bs[now * w + (i * 7) % w];
        __syncthreads();
        ++at;
    }
    out[blockIdx.x * w + t] = sum;
}

void run(const float *a, const float *b, float *o, int n)
{
    int threads = 64;
    pairwise<<<2, threads, 4 * threads * sizeof(float)>>>(a, b, o, n);
}
