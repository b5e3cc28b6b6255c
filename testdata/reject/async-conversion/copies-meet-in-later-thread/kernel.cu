#include <cuda_runtime.h>

#define LANES 32
#define GAP 20 // of a table's rows

// Rows of one table lie side by side, those of the other one apart: both land in
// the cell 2 * GAP, from thread GAP alone.
__global__ void __launch_bounds__(LANES)
interleave_sum(const float4 *__restrict__ near, const float4 *__restrict__ far,
               float *__restrict__ out, int steps)
{
    __shared__ float4 rows[2 * LANES];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < steps; ++k) {
        rows[t + GAP] = near[k * LANES + t];
        rows[2 * t] = far[k * LANES + t];
        __syncthreads();
        for (int j = GAP; j < GAP + LANES; ++j)
            sum += rows[j].x * rows[j].w;
        __syncthreads();
    }
    out[t] = sum;
}
