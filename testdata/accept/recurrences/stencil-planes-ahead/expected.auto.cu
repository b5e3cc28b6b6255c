// A stencil in planes: the plane above is loaded behind the place where the one before takes its value.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
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
    constexpr int stages = 8;
    __shared__ float s_stage[stages][BY + 2][BX + 2];
    int ix = blockIdx.x * BX + threadIdx.x + 1, iy = blockIdx.y * BY + threadIdx.y + 1;
    int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    size_t plane = (size_t)nx * ny;
    size_t idx = (size_t)iy * nx + ix;
    float below, cur = in[idx], above = in[idx + plane];
    // pipelinify: cp.async, 8 stages, source 3b73aabe
    int z_load = 1, stage = 0;
    size_t idx_load = idx;
    if (z_load < nz - 1) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (z_load < nz - 1) {
            auto &s = s_stage[load_stage];
            auto &idx = idx_load;
            idx += plane;
            __pipeline_memcpy_async(&s[ty][tx], &in[idx], sizeof(float));
            if (threadIdx.x == 0)
                __pipeline_memcpy_async(&s[ty][0], &in[idx - 1], sizeof(float));
            if (threadIdx.x == BX - 1)
                __pipeline_memcpy_async(&s[ty][BX + 1], &in[idx + 1], sizeof(float));
            if (threadIdx.y == 0)
                __pipeline_memcpy_async(&s[0][tx], &in[idx - nx], sizeof(float));
            if (threadIdx.y == BY - 1)
                __pipeline_memcpy_async(&s[BY + 1][tx], &in[idx + nx], sizeof(float));
            ++z_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int z = 1; z < nz - 1; ++z) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        idx += plane;
        below = cur; cur = above; above = in[idx + plane];
        out[idx] = cur +
            c * (s_stage[stage][ty][tx - 1] + s_stage[stage][ty][tx + 1] + s_stage[stage][ty - 1][tx] +
                 s_stage[stage][ty + 1][tx] + below + above - 6.f * cur);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
}
