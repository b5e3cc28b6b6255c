#include <cuda_pipeline.h>

// Star stencil applied to every plane of a volume: planes with a clamped halo are loaded one after the other.
template <int BX, int BY, int R>
__global__ void __launch_bounds__(BX * BY) laplace_planes(const double *__restrict__ u, double *__restrict__ v, int nx, int ny, int nz)
{
    constexpr int stages = 8;
    __shared__ double plane_stage[stages][BY + 2 * R][BX + 2 * R];
    const int x0 = blockIdx.x * BX - R, y0 = blockIdx.y * BY - R;
    const size_t pitch = nx, slab = (size_t)nx * ny;
    // pipelinify: cp.async, 8 stages, source 23459c62
    int z_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (z_load < nz) {
            for (int j = threadIdx.y; j < BY + 2 * R; j += BY) {
                for (int i = threadIdx.x; i < BX + 2 * R; i += BX) {
                    int x = x0 + i, y = y0 + j;
                    x = x < 0 ? 0 : x >= nx ? nx - 1 : x;
                    y = y < 0 ? 0 : (y >= ny ? ny - 1 : y);
                    __pipeline_memcpy_async(&plane_stage[load_stage][j][i], &u[z_load * slab + y * pitch + x], sizeof(double));
                }
            }
            ++z_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int z = 0; z < nz; ++z) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        const int x = x0 + R + threadIdx.x, y = y0 + R + threadIdx.y;
        double s = 0;
        for (int r = -R; r <= R; ++r) {
            s += plane_stage[stage][threadIdx.y + R + r][threadIdx.x + R];
            s += plane_stage[stage][threadIdx.y + R][threadIdx.x + R + r];
        }
        if (x < nx && y < ny) v[z * slab + y * pitch + x] = s;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
}
template __global__ void laplace_planes<16, 4, 2>(const double *, double *, int, int, int);
// pipelinify: launch laplace_planes<16, 4, 2>
//   sizes nx=20 ny=7 nz=0,1,2,3,4,5
//   target nx=512 ny=256 nz=64
//   grid (nx + 15) / 16, (ny + 3) / 4
//   block 16, 4
//   u: in [nx * ny * nz + 1]
//   v: out [nx * ny * nz + 1]
//   nx: nx
//   ny: ny
//   nz: nz
