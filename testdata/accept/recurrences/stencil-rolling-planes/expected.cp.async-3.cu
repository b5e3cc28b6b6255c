#include <cuda_pipeline.h>

#define BX 32
#define BY 8

// 2.5-D blocking: the middle plane lies in shared memory, its neighbours in
// registers that move one place along with every plane.
// pipelinify: launch laplace7
//   sizes    nz=2,3,4,6
//   target   nz=256
//   let      nx = 34
//   let      ny = 10
//   grid     1, 1
//   block    32, 8
//   u:       in  [34 * 10 * nz + 1]
//   v:       out [34 * 10 * nz]
//   nx:      nx
//   ny:      ny
//   nz:      nz
//   c0:      0.5
//   c1:      0.25
__global__ void laplace7(const float *__restrict__ u, float *__restrict__ v, int nx, int ny,
                         int nz, float c0, float c1)
{
    constexpr int stages = 3;
    __shared__ float plane_stage[stages][BY + 2][BX + 2];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
    const int sz = nx * ny;
    int at = y * nx + x;
    float below = u[at], here = u[at + sz];

    // pipelinify: cp.async, 3 stages, source a99b16b1
    int z_load = 1, at_load = at, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (z_load < nz - 1) {
            auto &plane = plane_stage[load_stage];
            auto &at = at_load;
            at += sz;
            __pipeline_memcpy_async(&plane[ty][tx], &u[at], sizeof(float));
            if (ty == 1)
                __pipeline_memcpy_async(&plane[0][tx], &u[at - nx], sizeof(float));
            if (ty == BY)
                __pipeline_memcpy_async(&plane[BY + 1][tx], &u[at + nx], sizeof(float));
            if (tx == 1)
                __pipeline_memcpy_async(&plane[ty][0], &u[at - 1], sizeof(float));
            if (tx == BX)
                __pipeline_memcpy_async(&plane[ty][BX + 1], &u[at + 1], sizeof(float));
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
        at += sz;
        const float above = u[at + sz];
        v[at] = c0 * here +
            c1 * (above + below + plane_stage[stage][ty][tx - 1] + plane_stage[stage][ty][tx + 1] +
                  plane_stage[stage][ty - 1][tx] + plane_stage[stage][ty + 1][tx]);
        below = here;
        here = above;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
}
