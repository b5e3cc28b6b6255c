// Forward convolution as an implicit GEMM: the im2col matrix is never stored, its tiles are gathered with div/mod and a padding guard.
#include <stdio.h>
#include <cuda_runtime.h>

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
    __shared__ float wtile[TS][TS];
    __shared__ float xtile[TS][TS];

    const int tx = threadIdx.x, ty = threadIdx.y;
    const int oc  = blockIdx.y * TS + ty;
    const int pix = blockIdx.x * TS + tx;
    const int oh = pix / OW;
    const int ow = pix % OW;
    const int K  = C * KS * KS;

    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source bced9c76
    int t = 0;
    if (t < (K + TS - 1) / TS) {
        {
            /* filter tile */
            int kw = t * TS + tx;
            wtile[ty][tx] = (oc < OC && kw < K) ? weight[oc * K + kw] : 0.0f;

            /* image tile: row k of the im2col matrix, column pix */
            int k  = t * TS + ty;
            int c  = k / (KS * KS);
            int r  = (k % (KS * KS)) / KS;
            int s  = k % KS;
            int ih = oh * stride - pad + r;
            int iw = ow * stride - pad + s;
            if (k < K && pix < OH * OW && ih >= 0 && ih < H && iw >= 0 && iw < Wd)
                xtile[ty][tx] = input[(c * H + ih) * Wd + iw];
            else
                xtile[ty][tx] = 0.0f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t++; t < (K + TS - 1) / TS; t++) {
            float xtile_next;
            /* filter tile */
            int kw = t * TS + tx;
            float wtile_next = (oc < OC && kw < K) ? weight[oc * K + kw] : 0.0f;

            /* image tile: row k of the im2col matrix, column pix */
            int k  = t * TS + ty;
            int c  = k / (KS * KS);
            int r  = (k % (KS * KS)) / KS;
            int s  = k % KS;
            int ih = oh * stride - pad + r;
            int iw = ow * stride - pad + s;
            if (k < K && pix < OH * OW && ih >= 0 && ih < H && iw >= 0 && iw < Wd)
                xtile_next = input[(c * H + ih) * Wd + iw];
            else
                xtile_next = 0.0f;

            for (int i = 0; i < TS; i++)
                sum += wtile[ty][i] * xtile[i][tx];
            __syncthreads();
            wtile[ty][tx] = wtile_next;
            xtile[ty][tx] = xtile_next;
            __syncthreads();
        }
        for (int i = 0; i < TS; i++)
            sum += wtile[ty][i] * xtile[i][tx];
    }

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
