// A stencil in planes: the plane above is loaded behind the place where the one before takes its value.
#include <cuda_runtime.h>
#define BX 32
#define BY 8

// pipelinify: launch heat3d
//   sizes    nz=2,3,4,6
//   target   nz=256
//   let      nx = 34
//   let      ny = 10
//   grid     1, 1
//   block    32, 8
//   in:      in  [34 * 10 * nz + 1]
//   out:     out [34 * 10 * nz]
//   nx:      nx
//   ny:      ny
//   nz:      nz
//   c:       0.125
__global__ void heat3d(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz, float c)
{
    __shared__ float s_stage[2][BY + 2][BX + 2];
    int ix = blockIdx.x * BX + threadIdx.x + 1, iy = blockIdx.y * BY + threadIdx.y + 1;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    size_t plane = (size_t)nx * ny;
    size_t idx = (size_t)iy * nx + ix;
    float below, cur = in[idx], above = in[idx + plane];
    // pipelinify: ldg, 2 stages, source 3b73aabe
    int z = 1, stage = 0;
    size_t idx_tile = idx;
    if (z < nz - 1) {
        __syncthreads();
        {
            auto &s = s_stage[0];
            idx += plane;
            s[ty][tx] = in[idx];
            if (threadIdx.x == 0) s[ty][0] = in[idx - 1];
            if (threadIdx.x == BX - 1) s[ty][BX + 1] = in[idx + 1];
            if (threadIdx.y == 0) s[0][tx] = in[idx - nx];
            if (threadIdx.y == BY - 1) s[BY + 1][tx] = in[idx + nx];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++z; z < nz - 1; ++z) {
            float s_next2;
            float s_next3;
            float s_next4;
            float s_next5;
            idx += plane;
            float s_next = in[idx];
            if (threadIdx.x == 0)
                s_next2 = in[idx - 1];
            if (threadIdx.x == BX - 1)
                s_next3 = in[idx + 1];
            if (threadIdx.y == 0)
                s_next4 = in[idx - nx];
            if (threadIdx.y == BY - 1)
                s_next5 = in[idx + nx];
            idx_tile += plane;
            below = cur; cur = above; above = in[idx_tile + plane];
            out[idx_tile] = cur +
                c * (s_stage[stage][ty][tx - 1] + s_stage[stage][ty][tx + 1] + s_stage[stage][ty - 1][tx] +
                     s_stage[stage][ty + 1][tx] + below + above - 6.f * cur);
            stage ^= 1;
            {
                auto &s = s_stage[stage];
                s[ty][tx] = s_next;
                if (threadIdx.x == 0)
                    s[ty][0] = s_next2;
                if (threadIdx.x == BX - 1)
                    s[ty][BX + 1] = s_next3;
                if (threadIdx.y == 0)
                    s[0][tx] = s_next4;
                if (threadIdx.y == BY - 1)
                    s[BY + 1][tx] = s_next5;
            }
            __syncthreads();
        }
        idx_tile += plane;
        below = cur; cur = above; above = in[idx_tile + plane];
        out[idx_tile] = cur +
            c * (s_stage[stage][ty][tx - 1] + s_stage[stage][ty][tx + 1] + s_stage[stage][ty - 1][tx] +
                 s_stage[stage][ty + 1][tx] + below + above - 6.f * cur);
    }
}
