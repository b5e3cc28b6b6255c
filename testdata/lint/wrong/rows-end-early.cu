// The last tile of each row is not loaded.
#include <cuda_pipeline.h>
enum Slot : unsigned { Ping, Pong };
static __device__ __forceinline__ Slot other(Slot s) { return s == Ping ? Pong : Ping; }
__global__ void __launch_bounds__(64) rowwise(const float *in, float *out, int rows, int tiles)
{
    __shared__ float s[2][64];
    const int t = threadIdx.x;
    for (int r = 0; r < rows; ++r) {
        const float *p = in + (size_t)r * tiles * 64;
        Slot w = Ping;
        float a = 0;
        if (tiles > 0) __pipeline_memcpy_async(&s[w][t], p + t, 4);
        __pipeline_commit();
        for (int k = 1; k <= tiles; ++k) {
            const Slot nx = other(w);
            if (k + 1 < tiles) __pipeline_memcpy_async(&s[nx][t], p + k * 64 + t, 4);
            __pipeline_commit();
            __pipeline_wait_prior(1);
            __syncthreads();
            a += s[w][(t + 1) & 63];
            __syncthreads();
            w = nx;
        }
        out[r * 64 + t] = a;
    }
}
