// Star stencil applied to every plane of a volume: planes with a clamped halo are loaded one after the other.
template <int BX, int BY, int R>
__global__ void __launch_bounds__(BX * BY) laplace_planes(const double *__restrict__ u, double *__restrict__ v, int nx, int ny, int nz)
{
    __shared__ double plane_stage[2][BY + 2 * R][BX + 2 * R];
    const int x0 = blockIdx.x * BX - R, y0 = blockIdx.y * BY - R;
    const size_t pitch = nx, slab = (size_t)nx * ny;
    // pipelinify: ldg, 2 stages, source 23459c62
    int z = 0, z_tile = z, stage = 0;
    if (z < nz) {
        auto compute_tile = [&]() {
            const int x = x0 + R + threadIdx.x, y = y0 + R + threadIdx.y;
            double s = 0;
            for (int r = -R; r <= R; ++r) {
                s += plane_stage[stage][threadIdx.y + R + r][threadIdx.x + R];
                s += plane_stage[stage][threadIdx.y + R][threadIdx.x + R + r];
            }
            if (x < nx && y < ny) v[z_tile * slab + y * pitch + x] = s;
        };
        for (int j = threadIdx.y; j < BY + 2 * R; j += BY)
            for (int i = threadIdx.x; i < BX + 2 * R; i += BX) {
                int x = x0 + i, y = y0 + j;
                x = x < 0 ? 0 : x >= nx ? nx - 1 : x;
                y = y < 0 ? 0 : (y >= ny ? ny - 1 : y);
                plane_stage[0][j][i] = u[z * slab + y * pitch + x];
            }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++z; z < nz; ++z) {
            double plane_next[(BY + 2 * R + BY - 1) / BY][(BX + 2 * R + BX - 1) / BX];
            #pragma unroll
            for (int slot = 0; slot < (BY + 2 * R + BY - 1) / BY; ++slot) {
                int j = threadIdx.y + slot * BY;
                if (j < BY + 2 * R) {
                    #pragma unroll
                    for (int slot2 = 0; slot2 < (BX + 2 * R + BX - 1) / BX; ++slot2) {
                        int i = threadIdx.x + slot2 * BX;
                        if (i < BX + 2 * R) {
                            int x = x0 + i, y = y0 + j;
                            x = x < 0 ? 0 : x >= nx ? nx - 1 : x;
                            y = y < 0 ? 0 : (y >= ny ? ny - 1 : y);
                            plane_next[slot][slot2] = u[z * slab + y * pitch + x];
                        }
                    }
                }
            }
            compute_tile();
            ++z_tile;
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < (BY + 2 * R + BY - 1) / BY; ++slot) {
                int j = threadIdx.y + slot * BY;
                if (j < BY + 2 * R) {
                    #pragma unroll
                    for (int slot2 = 0; slot2 < (BX + 2 * R + BX - 1) / BX; ++slot2) {
                        int i = threadIdx.x + slot2 * BX;
                        if (i < BX + 2 * R) {
                            plane_stage[stage][j][i] = plane_next[slot][slot2];
                        }
                    }
                }
            }
            __syncthreads();
        }
        compute_tile();
    }
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
