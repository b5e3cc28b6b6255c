#include <cooperative_groups.h>
namespace cg = cooperative_groups;

// The rounds of all blocks are kept in step so that the panels stay in L2.
__global__ void panels_in_step(const float *__restrict__ panels,
                               const float *__restrict__ x,
                               float *__restrict__ y, int rounds)
{
    cg::grid_group grid = cg::this_grid();
    __shared__ float p[256];
    const int row = blockIdx.x * 256 + threadIdx.x;
    float s = 0.f;

    for (int r = 0; r < rounds; ++r) {
        p[threadIdx.x] = panels[r * 256 + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256; ++j)
            s += p[j] * x[r * 256 + (j ^ (row & 31))];
        grid.sync();
    }
    y[row] = s;
}
