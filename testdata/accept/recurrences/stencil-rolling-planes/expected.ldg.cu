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
    __shared__ float plane_stage[2][BY + 2][BX + 2];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
    const int sz = nx * ny;
    int at = y * nx + x;
    float below = u[at], here = u[at + sz];

    // pipelinify: ldg, 2 stages, source a99b16b1
    int z = 1, at_tile = at, stage = 0;
    if (z < nz - 1) {
        auto compute_tile = [&]() {
            at_tile += sz;
            const float above = u[at_tile + sz];
            v[at_tile] = c0 * here +
                c1 * (above + below + plane_stage[stage][ty][tx - 1] +
                      plane_stage[stage][ty][tx + 1] + plane_stage[stage][ty - 1][tx] +
                      plane_stage[stage][ty + 1][tx]);
            below = here;
            here = above;
        };
        {
            auto &plane = plane_stage[0];
            at += sz;
            plane[ty][tx] = u[at];
            if (ty == 1) plane[0][tx] = u[at - nx];
            if (ty == BY) plane[BY + 1][tx] = u[at + nx];
            if (tx == 1) plane[ty][0] = u[at - 1];
            if (tx == BX) plane[ty][BX + 1] = u[at + 1];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++z; z < nz - 1; ++z) {
            float plane_next2;
            float plane_next3;
            float plane_next4;
            float plane_next5;
            at += sz;
            float plane_next = u[at];
            if (ty == 1)
                plane_next2 = u[at - nx];
            if (ty == BY)
                plane_next3 = u[at + nx];
            if (tx == 1)
                plane_next4 = u[at - 1];
            if (tx == BX)
                plane_next5 = u[at + 1];
            compute_tile();
            stage ^= 1;
            {
                auto &plane = plane_stage[stage];
                plane[ty][tx] = plane_next;
                if (ty == 1)
                    plane[0][tx] = plane_next2;
                if (ty == BY)
                    plane[BY + 1][tx] = plane_next3;
                if (tx == 1)
                    plane[ty][0] = plane_next4;
                if (tx == BX)
                    plane[ty][BX + 1] = plane_next5;
            }
            __syncthreads();
        }
        compute_tile();
    }
}
