#include <cuda_pipeline.h>
#include <cuda_runtime.h>

// The largest of each column, three stages ahead, in memory of the launch.
// pipelinify: launch column_peaks
//   sizes   tiles=0,1,2,3,5,8
//   grid    1
//   block   64
//   smem    2 * 64 * 4
//   in:     in  [tiles * 64] random
//   peaks:  out [64]
//   tiles:  tiles
__global__ void column_peaks(const float *in, float *peaks, int tiles)
{
    extern __shared__ float ring[];
    const int tid = threadIdx.x;
    float peak = -1e30f;
    for (int s = 0; s < 2; ++s) {
        if (s < tiles)
            __pipeline_memcpy_async(&ring[s * 64 + tid], in + s * 64 + tid, 4);
        __pipeline_commit();
    }
    for (int t = 0; t < tiles; ++t) {
        __pipeline_wait_prior(1);
        __syncthreads();
        peak = fmaxf(peak, ring[t % 3 * 64 + (tid ^ 1)]);
        if (t + 2 < tiles)
            __pipeline_memcpy_async(&ring[(t + 2) % 3 * 64 + tid], in + (t + 2) * 64 + tid, 4);
        __pipeline_commit();
    }
    peaks[tid] = peak;
}
