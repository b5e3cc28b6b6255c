// Forward convolution as an implicit GEMM: the im2col matrix is never stored, its tiles are gathered with div/mod and a padding guard.
#include <stdio.h>
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

#define TS 16

// pipelinify: launch conv2d_igemm
//   sizes  C=0,1,2,5,7,8 H=5 Wd=6 KS=3 OC=16 stride=1
//   sizes  C=16,40 H=4 Wd=4 KS=1 OC=5 stride=1
//   sizes  C=4 H=9 Wd=7 KS=3 OC=20 stride=2
//   target C=64 H=112 Wd=112 KS=3 OC=128 stride=1
//   let    P = KS / 2
//   let    OH = (H + 2 * P - KS) / stride + 1
//   let    OW = (Wd + 2 * P - KS) / stride + 1
//   grid   (OH * OW + 15) / 16, (OC + 15) / 16
//   block  16, 16
//   input:  in  [C * H * Wd] random
//   weight: in  [OC * C * KS * KS] random
//   output: out [OC * OH * OW]
//   C:  C
//   H:  H
//   Wd: Wd
//   OC: OC
//   KS: KS
//   stride: stride
//   pad: P
//   OH: OH
//   OW: OW
//   work   flops 2 * OC * OH * OW * C * KS * KS
__global__ void conv2d_igemm(const float *input, const float *weight, float *output,
                             int C, int H, int Wd, int OC, int KS,
                             int stride, int pad, int OH, int OW)
{
    __shared__ float wtile_stage[2][TS][TS];
    __shared__ float xtile_stage[2][TS][TS];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int oc  = blockIdx.y * TS + ty;
    const int pix = blockIdx.x * TS + tx;
    const int oh = pix / OW;
    const int ow = pix % OW;
    const int K  = C * KS * KS;

    float sum = 0.0f;
    // pipelinify: pipeline-block, 2 stages, source bced9c76
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state);
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        pipe.producer_acquire();
        if (t_load < (K + TS - 1) / TS) {
            /* filter tile */
            int kw = t_load * TS + tx;
            if (oc < OC && kw < K) {
                cuda::memcpy_async(&wtile_stage[load_stage][ty][tx], &weight[oc * K + kw],
                                   cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
            } else {
                wtile_stage[load_stage][ty][tx] = 0.0f;
            }

            /* image tile: row k of the im2col matrix, column pix */
            int k  = t_load * TS + ty;
            int c  = k / (KS * KS);
            int r  = (k % (KS * KS)) / KS;
            int s  = k % KS;
            int ih = oh * stride - pad + r;
            int iw = ow * stride - pad + s;
            if (k < K && pix < OH * OW && ih >= 0 && ih < H && iw >= 0 && iw < Wd)
                cuda::memcpy_async(&xtile_stage[load_stage][ty][tx], &input[(c * H + ih) * Wd + iw],
                                   cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
            else
                xtile_stage[load_stage][ty][tx] = 0.0f;
            t_load++;
        }
        pipe.producer_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int t = 0; t < (K + TS - 1) / TS; t++) {
        copy_tile(stage ^ 1);
        pipe.consumer_wait();

        for (int i = 0; i < TS; i++)
            sum += wtile_stage[stage][ty][i] * xtile_stage[stage][i][tx];
        pipe.consumer_release();
        stage ^= 1;
    }
    pipe.consumer_wait();
    pipe.consumer_release();

    if (oc < OC && pix < OH * OW)
        output[oc * OH * OW + pix] = sum;
}

#define CHECK(call)                                                     \
    do {                                                                \
        cudaError_t err_ = (call);                                      \
        if (err_ != cudaSuccess)                                        \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(err_)); \
    } while (0)

void conv2d(const float *x, const float *w, float *y, int C, int H, int W, int OC, int KS, int stride)
{
    int pad = KS / 2;
    int OH = (H + 2 * pad - KS) / stride + 1;
    int OW = (W + 2 * pad - KS) / stride + 1;
    dim3 block(TS, TS);
    dim3 grid((OH * OW + TS - 1) / TS, (OC + TS - 1) / TS);
    conv2d_igemm<<<grid, block>>>(x, w, y, C, H, W, OC, KS, stride, pad, OH, OW);
    CHECK(cudaGetLastError());
}
