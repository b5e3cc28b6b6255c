// Direct 3x3 convolution, NCHW: an image patch with a zero border and the filters of four output planes for every channel.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>
#define TILE 8
#define R 3
#define KB 4
#define PATCH (TILE + R - 1)
struct ConvP { int C, H, W, K, pad; };
extern "C" __global__ void conv2d_nchw(const float *__restrict__ in, const float *__restrict__ wgt, const float *__restrict__ bias, float *__restrict__ out,
                            int C, int H, int W, int K)
{
    constexpr int stages = 3;
    __shared__ float patch_stage[stages][PATCH][PATCH];
    __shared__ float flt_stage[stages][KB][R * R];
    const int ox = blockIdx.x * TILE + threadIdx.x, oy = blockIdx.y * TILE + threadIdx.y;
    const int k0 = blockIdx.z * KB;
    const int tid = threadIdx.y * TILE + threadIdx.x;
    float acc[KB];
#pragma unroll
    for (int k = 0; k < KB; k++) acc[k] = bias ? bias[k0 + k] : 0.f;
    const float *plane = in;
    // pipelinify: cp.async, 3 stages, source 741d9fb9
    int c_load = 0, stage = 0;
    auto plane_load = plane;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (c_load < C) {
            for (int i = tid; i < PATCH * PATCH; i += TILE * TILE) {
                int py = i / PATCH, px = i - py * PATCH;
                int gy = blockIdx.y * TILE + py - 1, gx = blockIdx.x * TILE + px - 1;
                __pipeline_memcpy_async(&patch_stage[load_stage][py][px], &plane_load[gy * W + gx], sizeof(float),
                                        (gy >= 0 && gy < H && gx >= 0 && gx < W) ? 0 : sizeof(float));
            }
            if (tid < KB * R * R) {
                int k = tid / (R * R), rs = tid % (R * R);
                __pipeline_memcpy_async(&flt_stage[load_stage][k][rs], &wgt[((k0 + k) * C + c_load) * (R * R) + rs], sizeof(float));
            }
            c_load++, plane_load += H * W;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int c = 0; c < C; c++, plane += H * W) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
#pragma unroll
        for (int r = 0; r < R; r++)
#pragma unroll
            for (int s = 0; s < R; s++) {
                float v = patch_stage[stage][threadIdx.y + r][threadIdx.x + s];
#pragma unroll
                for (int k = 0; k < KB; k++) acc[k] += v * flt_stage[stage][k][r * R + s];
            }
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    if (ox < W && oy < H)
        for (int k = 0; k < KB; k++) out[((k0 + k) * H + oy) * W + ox] = acc[k];
}
// pipelinify: launch conv2d_nchw
//   sizes C=0,1,2,3,4,5 H=9 W=11 K=4
//   sizes C=3 H=8 W=8 K=8
//   target C=128 H=128 W=128 K=32
//   grid (W + 7) / 8, (H + 7) / 8, K / 4
//   block 8, 8
//   in: in [C * H * W + 1]
//   wgt: in [K * C * 9 + 1]
//   bias: in [K]
//   out: out [K * H * W]
//   C: C
//   H: H
//   W: W
//   K: K
