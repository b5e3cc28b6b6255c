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
    __shared__ float plane[BY + 2][BX + 2];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int x = blockIdx.x * BX + tx, y = blockIdx.y * BY + ty;
    const int sz = nx * ny;
    int at = y * nx + x;
    float below = u[at], here = u[at + sz];

    for (int z = 1; z < nz - 1; ++z) {
        at += sz;
        const float above = u[at + sz];
        plane[ty][tx] = here;
        if (ty == 1) plane[0][tx] = u[at - nx];
        if (ty == BY) plane[BY + 1][tx] = u[at + nx];
        if (tx == 1) plane[ty][0] = u[at - 1];
        if (tx == BX) plane[ty][BX + 1] = u[at + 1];
        __syncthreads();
        v[at] = c0 * here + c1 * (above + below + plane[ty][tx - 1] + plane[ty][tx + 1] +
                                  plane[ty - 1][tx] + plane[ty + 1][tx]);
        __syncthreads();
        below = here;
        here = above;
    }
}
