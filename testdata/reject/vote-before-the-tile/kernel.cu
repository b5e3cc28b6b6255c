// Splats are drawn front to back until all pixels of the block are opaque: the block votes at the
// head of each batch, and what it votes on is what the batch before has left.
#include <cuda_runtime.h>

#define BATCH 256

struct splat {
    float2 at;
    float4 conic;
};

__global__ void draw(const splat *__restrict__ splats, const int2 *__restrict__ ranges,
                     float *__restrict__ image, int width)
{
    __shared__ splat batch[BATCH];
    const int2 range = ranges[blockIdx.x];
    const int pixel = blockIdx.x * BATCH + threadIdx.x;
    const float px = pixel % width, py = pixel / width;
    float left = 1.f, colour = 0.f;
    bool done = false;

    for (int first = range.x; first < range.y; first += BATCH) {
        const int opaque = __syncthreads_count(done);
        if (opaque == BATCH)
            break;
        if (first + threadIdx.x < range.y)
            batch[threadIdx.x] = splats[first + threadIdx.x];
        __syncthreads();
        for (int i = 0; !done && i < min(BATCH, range.y - first); ++i) {
            const float dx = batch[i].at.x - px, dy = batch[i].at.y - py;
            const float alpha = batch[i].conic.w * __expf(-batch[i].conic.x * dx * dx -
                                                          batch[i].conic.z * dy * dy);
            colour += alpha * left;
            left *= 1.f - alpha;
            done = left < 1e-4f;
        }
    }
    image[pixel] = colour;
}

__global__ void draw_all(const splat *__restrict__ splats, float *__restrict__ image, int n)
{
    __shared__ splat batch[BATCH];
    float left = 1.f;

    for (int first = 0; first < n; first += BATCH) {
        if (__syncthreads_and(left < 1e-4f))
            break;
        batch[threadIdx.x] = splats[first + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < BATCH; ++i)
            left *= 1.f - batch[i].conic.w;
    }
    image[threadIdx.x] = left;
}
