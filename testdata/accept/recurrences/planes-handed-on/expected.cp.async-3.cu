// Stencils that march through planes: registers hand on what was loaded for the planes
// around, and the one in the middle goes into the tile.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    constexpr int stages = 3;
    __shared__ float sh_stage[stages][BY + 2][BX + 2];
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int plane = nx * ny;
    const int at = ty * nx + tx;
    float below = u[at], here = u[at + plane], above;
    // pipelinify: cp.async, 3 stages, source a6263988
    int k_load = 1, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < nz - 1) {
            auto &sh = sh_stage[load_stage];
            auto &k = k_load;
            __pipeline_memcpy_async(&sh[ty][tx], &u[at + k * plane], sizeof(float));
            if (tx == 1)
                __pipeline_memcpy_async(&sh[ty][0], &u[at + k * plane - 1], sizeof(float));
            if (tx == BX)
                __pipeline_memcpy_async(&sh[ty][BX + 1], &u[at + k * plane + 1], sizeof(float));
            if (ty == 1)
                __pipeline_memcpy_async(&sh[0][tx], &u[at + k * plane - nx], sizeof(float));
            if (ty == BY)
                __pipeline_memcpy_async(&sh[BY + 1][tx], &u[at + k * plane + nx], sizeof(float));
            k++;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 1; k < nz - 1; k++) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        above = u[at + (k + 1) * plane];
        v[at + k * plane] = above + below + sh_stage[stage][ty][tx - 1] + sh_stage[stage][ty][tx + 1] +
                            sh_stage[stage][ty - 1][tx] + sh_stage[stage][ty + 1][tx] - 6.f * here;
        below = here;
        here = above;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    constexpr int stages = 3;
    __shared__ float tile_stage[stages][BY + 2 * R][BX + 2 * R];
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
    // pipelinify: cp.async, 3 stages, source fd6dd9c6
    int z_load = 0, next_load = next, at_load = at, stage = 0;
    if (z_load < nz) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (z_load < nz) {
            auto &tile = tile_stage[load_stage];
            auto &at = at_load;
            next_load += plane;
            at += plane;
            if (threadIdx.y < R) {
                __pipeline_memcpy_async(&tile[threadIdx.y][tx], &in[at - R * row], sizeof(float));
                __pipeline_memcpy_async(&tile[threadIdx.y + BY + R][tx], &in[at + BY * row], sizeof(float));
            }
            if (threadIdx.x < R) {
                __pipeline_memcpy_async(&tile[ty][threadIdx.x], &in[at - R], sizeof(float));
                __pipeline_memcpy_async(&tile[ty][threadIdx.x + BX + R], &in[at + BX], sizeof(float));
            }
            __pipeline_memcpy_async(&tile[ty][tx], &in[next_load - 4LL * plane], sizeof(float));
            z_load++;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int z = 0; z < nz; z++) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = R - 1; i > 0; i--)
            behind[i] = behind[i - 1];
        behind[0] = current;
        current = infront[0];
        for (int i = 0; i < R - 1; i++)
            infront[i] = infront[i + 1];
        infront[R - 1] = in[next];
        next += plane;
        at += plane;
        float sum = 0.5f * current;
        for (int i = 1; i <= R; i++)
            sum += 0.125f *
                (float)i * (infront[i - 1] + behind[i - 1] + tile_stage[stage][ty - i][tx] +
                            tile_stage[stage][ty + i][tx] + tile_stage[stage][ty][tx - i] +
                            tile_stage[stage][ty][tx + i]);
        out[at] = sum;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    constexpr int stages = 3;
    __shared__ float s_stage[stages][64];
    const int t = threadIdx.x;
    unsigned place = (unsigned)(nz + 1) * 64u + (unsigned)t;
    float a = g[place], sum = 0.f;
    place -= 64;
    float b = g[place];
    // pipelinify: cp.async, 3 stages, source 0c17af98
    int k_load = 0, stage = 0;
    unsigned int place_load = place;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < nz) {
            place_load -= 64;
            __pipeline_memcpy_async(&s_stage[load_stage][t], &g[place_load + 64], sizeof(float));
            k_load++;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k = 0; k < nz; k++) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        place -= 64;
        const float c = g[place];
        sum += (a - c) * (s_stage[stage][(t + 1) % 64] + s_stage[stage][(t + 63) % 64]) * (float)(blockIdx.x + 1);
        a = b;
        b = c;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    o[blockIdx.x * 64 + t] = sum;
}
