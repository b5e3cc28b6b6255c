#include <cuda_pipeline.h>
// A persistent block: the ring goes on over the borders of its output tiles.
__global__ void __launch_bounds__(128) persistent(const float *A, float *out, int rows, int ksteps)
{
    constexpr int ST = 3;
    __shared__ float sm[ST][128];
    const int mine = rows > (int)blockIdx.x ? (rows - blockIdx.x + gridDim.x - 1) / gridDim.x : 0;
    const int total = mine * ksteps;
    auto load = [&](int step) {
        if (step < total) {
            const int row = blockIdx.x + step / ksteps * gridDim.x, k = step % ksteps;
            __pipeline_memcpy_async(&sm[step % ST][threadIdx.x], A + (row * ksteps + k) * 128 + threadIdx.x, sizeof(float));
        }
        __pipeline_commit();
    };
    load(0);
    load(1);
    int step = 0;
    for (int row = blockIdx.x; row < rows; row += gridDim.x) {
        float acc = 0;
        for (int k = 0; k < ksteps; ++k, ++step) {
            __pipeline_wait_prior(1);
            __syncthreads();
            load(step + 2);
            acc += sm[step % ST][127 - threadIdx.x];
        }
        out[row * 128 + threadIdx.x] = acc;
    }
}
void run(const float *a, float *o, int r, int k) { persistent<<<1, 128>>>(a, o, r, k); }
