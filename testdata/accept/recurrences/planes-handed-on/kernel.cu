// Stencils that march through planes: registers hand on what was loaded for the planes
// around, and the one in the middle goes into the tile.
#include <cuda_runtime.h>

#define BX 16
#define BY 4
#define R 3

// pipelinify: launch seven_points
//   sizes    nx=18 ny=6 nz=2,3,4,7
//   grid     1
//   block    16, 4
//   u:       in  [nx * ny * nz]
//   v:       out [nx * ny * nz]
//   nx: nx
//   ny: ny
//   nz: nz
__global__ void seven_points(const float *__restrict__ u, float *__restrict__ v, int nx, int ny, int nz)
{
    __shared__ float sh[BY + 2][BX + 2];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int plane = nx * ny;
    const int at = ty * nx + tx;
    float below = u[at], here = u[at + plane], above;
    for (int k = 1; k < nz - 1; k++) {
        above = u[at + (k + 1) * plane];
        sh[ty][tx] = here;
        if (tx == 1)
            sh[ty][0] = u[at + k * plane - 1];
        if (tx == BX)
            sh[ty][BX + 1] = u[at + k * plane + 1];
        if (ty == 1)
            sh[0][tx] = u[at + k * plane - nx];
        if (ty == BY)
            sh[BY + 1][tx] = u[at + k * plane + nx];
        __syncthreads();
        v[at + k * plane] = above + below + sh[ty][tx - 1] + sh[ty][tx + 1] + sh[ty - 1][tx] +
                            sh[ty + 1][tx] - 6.f * here;
        below = here;
        here = above;
        __syncthreads();
    }
}

// pipelinify: launch long_queue
//   sizes    nz=0,1,2,5,9
//   grid     1
//   block    16, 4
//   in:      in  [220 * (nz + 7)]
//   out:     out [220 * (nz + 7)]
//   nz: nz
__global__ void long_queue(const float *__restrict__ in, float *__restrict__ out, int nz)
{
    __shared__ float tile[BY + 2 * R][BX + 2 * R];
    const int tx = threadIdx.x + R, ty = threadIdx.y + R;
    const int row = BX + 2 * R, plane = row * (BY + 2 * R);
    float infront[R], behind[R], current;
    int next = ty * row + tx, at;
    for (int i = R - 2; i >= 0; i--) {
        behind[i] = in[next];
        next += plane;
    }
    behind[R - 1] = 0.f;
    current = in[next];
    at = next;
    next += plane;
    for (int i = 0; i < R; i++) {
        infront[i] = in[next];
        next += plane;
    }
    for (int z = 0; z < nz; z++) {
        for (int i = R - 1; i > 0; i--)
            behind[i] = behind[i - 1];
        behind[0] = current;
        current = infront[0];
        for (int i = 0; i < R - 1; i++)
            infront[i] = infront[i + 1];
        infront[R - 1] = in[next];
        next += plane;
        at += plane;
        __syncthreads();
        if (threadIdx.y < R) {
            tile[threadIdx.y][tx] = in[at - R * row];
            tile[threadIdx.y + BY + R][tx] = in[at + BY * row];
        }
        if (threadIdx.x < R) {
            tile[ty][threadIdx.x] = in[at - R];
            tile[ty][threadIdx.x + BX + R] = in[at + BX];
        }
        tile[ty][tx] = current;
        __syncthreads();
        float sum = 0.5f * current;
        for (int i = 1; i <= R; i++)
            sum += 0.125f * (float)i * (infront[i - 1] + behind[i - 1] + tile[ty - i][tx] + tile[ty + i][tx] +
                                        tile[ty][tx - i] + tile[ty][tx + i]);
        out[at] = sum;
    }
}

// Down through the planes, in unsigned numbers.
// pipelinify: launch downwards
//   sizes    nz=0,1,2,6
//   grid     2
//   block    64
//   g:       in  [(nz + 2) * 64]
//   o:       out [2 * 64]
//   nz: nz
__global__ void downwards(const float *__restrict__ g, float *__restrict__ o, int nz)
{
    __shared__ float s[64];
    const int t = threadIdx.x;
    unsigned place = (unsigned)(nz + 1) * 64u + (unsigned)t;
    float a = g[place], sum = 0.f;
    place -= 64;
    float b = g[place];
    for (int k = 0; k < nz; k++) {
        place -= 64;
        const float c = g[place];
        s[t] = b;
        __syncthreads();
        sum += (a - c) * (s[(t + 1) % 64] + s[(t + 63) % 64]) * (float)(blockIdx.x + 1);
        __syncthreads();
        a = b;
        b = c;
    }
    o[blockIdx.x * 64 + t] = sum;
}
