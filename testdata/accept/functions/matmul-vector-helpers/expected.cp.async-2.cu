// Matmul with bias for training code in plain CUDA: 64 x 64 outputs a block, float4 everywhere.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

__device__ float4 ld_vec(const float* address) {
    return *reinterpret_cast<const float4*>(address);
}

__device__ void st_vec(float* address, float4 val) {
    *reinterpret_cast<float4*>(address) = val;
}

__global__ void __launch_bounds__(8 * 8) matmul_forward_vec(float* out,
                                       const float* inp, const float* weight, const float* bias,
                                       int C, int OC) {
    // out is (B,T,OC). OC is short for "output channels", e.g. OC = 4 * C
    // inp is (B,T,C), weight is (OC, C), bias is (OC)
    // each thread handles 8x8 elements; each block 64 by 64 elements.
    int oc = 8 * (blockIdx.y * blockDim.y + threadIdx.y);

    // buffers to cache chunks of the input matrices
    __shared__ __align__(16) float lhs_s_stage[2][64][32];
    __shared__ __align__(16) float rhs_s_stage[2][64][32];

    // adjust our pointers for the current block
    inp += 64 * blockIdx.x * C;
    weight += 64 * blockIdx.y * C;
    out += 64 * blockIdx.x * OC + 64 * blockIdx.y;

    float vals[8][8] = {};
    if (bias != NULL) {
        for (int i = 0; i < 8; i++) {
            for (int j = 0; j < 8; j += 4) {
                float4 b = ld_vec(bias + oc + j);
                vals[i][j + 0] = b.x;
                vals[i][j + 1] = b.y;
                vals[i][j + 2] = b.z;
                vals[i][j + 3] = b.w;
            }
        }
    }

    int si_start = 4 * (8 * threadIdx.y + threadIdx.x);
    // pipelinify: cp.async, 2 stages, source 53b2ae5d
    int so_load = 0, stage = 0;
    if (so_load < C) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (so_load < C) {
            int xmod8 = threadIdx.x % 8;
            int xby8 = threadIdx.x / 8;
            int xo = 4 * xmod8;
            for (int y = threadIdx.y + 8 * xby8; y < 64; y += 8) {
                __pipeline_memcpy_async(&lhs_s_stage[load_stage][y][xo], inp + y * C + so_load + xo, sizeof(float4));
                __pipeline_memcpy_async(&rhs_s_stage[load_stage][y][xo], weight + y * C + so_load + xo, sizeof(float4));
            }
            so_load += 32;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int so = 0; so < C; so += 32) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        for (int si = si_start; si < si_start + 32; si += 4) {
            float4 rhs[8];
            for (int u = 0; u < 8; ++u) {
                rhs[u] = ld_vec(&rhs_s_stage[stage][u + 8 * threadIdx.y][si % 32]);
            }

            for (int ii = 0; ii < 8; ++ii) {
                float4 lhs = ld_vec(&lhs_s_stage[stage][ii + 8 * threadIdx.x][si % 32]);
                for (int ji = 0; ji < 8; ++ji) {
                    vals[ii][ji] += lhs.x * rhs[ji].x;
                    vals[ii][ji] += lhs.y * rhs[ji].y;
                    vals[ii][ji] += lhs.z * rhs[ji].z;
                    vals[ii][ji] += lhs.w * rhs[ji].w;
                }
            }
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);

    for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; j += 4) {
            float4 result;
            result.x = vals[i][j + 0];
            result.y = vals[i][j + 1];
            result.z = vals[i][j + 2];
            result.w = vals[i][j + 3];
            st_vec(out + (8 * threadIdx.x + i) * OC + 8 * threadIdx.y + j, result);
        }
    }
}

// pipelinify: launch matmul_forward_vec
//   sizes BT=64,128 C=0,32,64,160 OC=64
//   target BT=2048 C=1024 OC=2048
//   grid BT / 64, OC / 64
//   block 8, 8
//   out: inout [BT * OC]
//   inp: in [BT * C + 4]
//   weight: in [OC * C + 4]
//   bias: in [OC]
//   C: C
//   OC: OC
void matmul_forward(float* out, const float* inp, const float* weight, const float* bias, int BT, int C, int OC) {
    matmul_forward_vec<<<dim3(BT / 64, OC / 64), dim3(8, 8)>>>(out, inp, weight, bias, C, OC);
}
