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
    __shared__ float sh_stage[2][BY + 2][BX + 2];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int plane = nx * ny;
    const int at = ty * nx + tx;
    float below = u[at], here = u[at + plane], above;
    // pipelinify: ldg, 2 stages, source a6263988
    int k = 1, k_tile = k, stage = 0;
    if (k < nz - 1) {
        auto compute_tile = [&]() {
            above = u[at + (k_tile + 1) * plane];
            v[at + k_tile * plane] = above + below + sh_stage[stage][ty][tx - 1] + sh_stage[stage][ty][tx + 1] +
                                     sh_stage[stage][ty - 1][tx] + sh_stage[stage][ty + 1][tx] - 6.f * here;
            below = here;
            here = above;
        };
        {
            auto &sh = sh_stage[0];
            sh[ty][tx] = u[at + k * plane];
            if (tx == 1)
                sh[ty][0] = u[at + k * plane - 1];
            if (tx == BX)
                sh[ty][BX + 1] = u[at + k * plane + 1];
            if (ty == 1)
                sh[0][tx] = u[at + k * plane - nx];
            if (ty == BY)
                sh[BY + 1][tx] = u[at + k * plane + nx];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < nz - 1; k++) {
            float sh_next2;
            float sh_next3;
            float sh_next4;
            float sh_next5;
            float sh_next = u[at + k * plane];
            if (tx == 1)
                sh_next2 = u[at + k * plane - 1];
            if (tx == BX)
                sh_next3 = u[at + k * plane + 1];
            if (ty == 1)
                sh_next4 = u[at + k * plane - nx];
            if (ty == BY)
                sh_next5 = u[at + k * plane + nx];
            compute_tile();
            k_tile++;
            stage ^= 1;
            {
                auto &sh = sh_stage[stage];
                sh[ty][tx] = sh_next;
                if (tx == 1)
                    sh[ty][0] = sh_next2;
                if (tx == BX)
                    sh[ty][BX + 1] = sh_next3;
                if (ty == 1)
                    sh[0][tx] = sh_next4;
                if (ty == BY)
                    sh[BY + 1][tx] = sh_next5;
            }
            __syncthreads();
        }
        compute_tile();
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
    __shared__ float tile_stage[2][BY + 2 * R][BX + 2 * R];
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
    // pipelinify: ldg, 2 stages, source fd6dd9c6
    int z = 0, next_tile = next, at_tile = at, stage = 0;
    if (z < nz) {
        __syncthreads();
        auto compute_tile = [&]() {
            for (int i = R - 1; i > 0; i--)
                behind[i] = behind[i - 1];
            behind[0] = current;
            current = infront[0];
            for (int i = 0; i < R - 1; i++)
                infront[i] = infront[i + 1];
            infront[R - 1] = in[next_tile];
            next_tile += plane;
            at_tile += plane;
            float sum = 0.5f * current;
            for (int i = 1; i <= R; i++)
                sum += 0.125f *
                    (float)i * (infront[i - 1] + behind[i - 1] + tile_stage[stage][ty - i][tx] +
                                tile_stage[stage][ty + i][tx] + tile_stage[stage][ty][tx - i] +
                                tile_stage[stage][ty][tx + i]);
            out[at_tile] = sum;
        };
        {
            auto &tile = tile_stage[0];
            next += plane;
            at += plane;
            if (threadIdx.y < R) {
                tile[threadIdx.y][tx] = in[at - R * row];
                tile[threadIdx.y + BY + R][tx] = in[at + BY * row];
            }
            if (threadIdx.x < R) {
                tile[ty][threadIdx.x] = in[at - R];
                tile[ty][threadIdx.x + BX + R] = in[at + BX];
            }
            tile[ty][tx] = in[next - 4LL * plane];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (z++; z < nz; z++) {
            float tile_next;
            float tile_next2;
            float tile_next3;
            float tile_next4;
            next += plane;
            at += plane;
            if (threadIdx.y < R) {
                tile_next = in[at - R * row];
                tile_next2 = in[at + BY * row];
            }
            if (threadIdx.x < R) {
                tile_next3 = in[at - R];
                tile_next4 = in[at + BX];
            }
            float tile_next5 = in[next - 4LL * plane];
            compute_tile();
            stage ^= 1;
            {
                auto &tile = tile_stage[stage];
                if (threadIdx.y < R) {
                    tile[threadIdx.y][tx] = tile_next;
                    tile[threadIdx.y + BY + R][tx] = tile_next2;
                }
                if (threadIdx.x < R) {
                    tile[ty][threadIdx.x] = tile_next3;
                    tile[ty][threadIdx.x + BX + R] = tile_next4;
                }
                tile[ty][tx] = tile_next5;
            }
            __syncthreads();
        }
        compute_tile();
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
    __shared__ float s_stage[2][64];
    const int t = threadIdx.x;
    unsigned place = (unsigned)(nz + 1) * 64u + (unsigned)t;
    float a = g[place], sum = 0.f;
    place -= 64;
    float b = g[place];
    // pipelinify: ldg, 2 stages, source 0c17af98
    int k = 0, stage = 0;
    unsigned int place_tile = place;
    if (k < nz) {
        auto compute_tile = [&]() {
            place_tile -= 64;
            const float c = g[place_tile];
            sum += (a - c) * (s_stage[stage][(t + 1) % 64] + s_stage[stage][(t + 63) % 64]) * (float)(blockIdx.x + 1);
            a = b;
            b = c;
        };
        place -= 64;
        s_stage[0][t] = g[place + 64];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k++; k < nz; k++) {
            place -= 64;
            float s_next = g[place + 64];
            compute_tile();
            stage ^= 1;
            s_stage[stage][t] = s_next;
            __syncthreads();
        }
        compute_tile();
    }
    o[blockIdx.x * 64 + t] = sum;
}
