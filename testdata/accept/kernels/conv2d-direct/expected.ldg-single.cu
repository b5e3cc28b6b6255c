// Direct 3x3 convolution, NCHW: an image patch with a zero border and the filters of four output planes for every channel.
#include <cuda_runtime.h>
#define TILE 8
#define R 3
#define KB 4
#define PATCH (TILE + R - 1)
struct ConvP { int C, H, W, K, pad; };
extern "C" __global__ void conv2d_nchw(const float *__restrict__ in, const float *__restrict__ wgt, const float *__restrict__ bias, float *__restrict__ out,
                            int C, int H, int W, int K)
{
    __shared__ float patch[PATCH][PATCH];
    __shared__ float flt[KB][R * R];
    const int ox = blockIdx.x * TILE + threadIdx.x, oy = blockIdx.y * TILE + threadIdx.y;
    const int k0 = blockIdx.z * KB;
    const int tid = threadIdx.y * TILE + threadIdx.x;
    float acc[KB];
#pragma unroll
    for (int k = 0; k < KB; k++) acc[k] = bias ? bias[k0 + k] : 0.f;
    const float *plane = in;
    // pipelinify: ldg-single, 1 stage, source 741d9fb9
    int c = 0;
    if (c < C) {
        auto compute_tile = [&]() {
#pragma unroll
            for (int r = 0; r < R; r++)
#pragma unroll
                for (int s = 0; s < R; s++) {
                    float v = patch[threadIdx.y + r][threadIdx.x + s];
#pragma unroll
                    for (int k = 0; k < KB; k++) acc[k] += v * flt[k][r * R + s];
                }
        };
        for (int i = tid; i < PATCH * PATCH; i += TILE * TILE) {
            int py = i / PATCH, px = i - py * PATCH;
            int gy = blockIdx.y * TILE + py - 1, gx = blockIdx.x * TILE + px - 1;
            float v = 0.f;
            if (gy >= 0 && gy < H && gx >= 0 && gx < W) v = plane[gy * W + gx];
            patch[py][px] = v;
        }
        if (tid < KB * R * R) {
            int k = tid / (R * R), rs = tid % (R * R);
            flt[k][rs] = wgt[((k0 + k) * C + c) * (R * R) + rs];
        }
        c++, plane += H * W;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; c < C; c++, plane += H * W) {
            float patch_next[(PATCH * PATCH + TILE * TILE - 1) / (TILE * TILE)];
            float flt_next;
#pragma unroll
            for (int slot = 0; slot < (PATCH * PATCH + TILE * TILE - 1) / (TILE * TILE); ++slot) {
                int i = tid + slot * (TILE * TILE);
                if (i < PATCH * PATCH) {
                    int py = i / PATCH, px = i - py * PATCH;
                    int gy = blockIdx.y * TILE + py - 1, gx = blockIdx.x * TILE + px - 1;
                    float v = 0.f;
                    if (gy >= 0 && gy < H && gx >= 0 && gx < W)
                        v = plane[gy * W + gx];
                    patch_next[slot] = v;
                }
            }
            if (tid < KB * R * R) {
                int k = tid / (R * R), rs = tid % (R * R);
                flt_next = wgt[((k0 + k) * C + c) * (R * R) + rs];
            }
            compute_tile();
            __syncthreads();
#pragma unroll
            for (int slot = 0; slot < (PATCH * PATCH + TILE * TILE - 1) / (TILE * TILE); ++slot) {
                int i = tid + slot * (TILE * TILE);
                if (i < PATCH * PATCH) {
                    int py = i / PATCH, px = i - py * PATCH;
                    patch[py][px] = patch_next[slot];
                }
            }
            if (tid < KB * R * R) {
                int k = tid / (R * R), rs = tid % (R * R);
                flt[k][rs] = flt_next;
            }
            __syncthreads();
        }
        compute_tile();
    }
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
