#include <cuda_pipeline_primitives.h>
// Three pointers change places; two tiles are in flight.
template <typename T> __device__ void rotate3(T *&a, T *&b, T *&c) { T *x = a; a = b; b = c; c = x; }
__global__ void __launch_bounds__(64) poly(const uint2 *in, unsigned *out, int tiles)
{
    extern __shared__ uint2 mem[];
    uint2 *now = mem, *next = mem + 64, *after = mem + 128;
    const unsigned t = threadIdx.x;
    if (tiles > 0)
        __pipeline_memcpy_async(now + t, in + t, sizeof(uint2));
    __pipeline_commit();
    if (tiles > 1)
        __pipeline_memcpy_async(next + t, in + 64 + t, sizeof(uint2));
    __pipeline_commit();
    unsigned h = 0;
    for (int k = 0; k < tiles; ++k) {
        __pipeline_wait_prior(1);
        __syncthreads();
        if (k + 2 < tiles)
            __pipeline_memcpy_async(after + t, in + (k + 2) * 64 + t, sizeof(uint2));
        __pipeline_commit();
        h = h * 31u + now[63 - t].x + now[t].y;
        rotate3(now, next, after);
    }
    out[t] = h;
}
void run(const uint2 *i, unsigned *o, int n) { poly<<<1, 64, 3 * 64 * sizeof(uint2)>>>(i, o, n); }
