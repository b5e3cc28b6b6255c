// Channels last: of `(y * width + x) * channels + c` the channels alone say whether 16 bytes can be one copy.
#include <stdint.h>

#define CH_TILE 32      /* input channels at a time           */
#define OUT_CH  64      /* output channels of a block         */
#define PIX     16      /* output pixels of a block, in a row */

// pipelinify: launch conv_nhwc_i8
//   sizes c=32,64,128 k=1,3
//   target c=128 k=3
//   grid 2, 3
//   block 64
//   h: 3
//   w: 32
//   c_in: c
//   kh: k
//   kw: k
//   stride: 1
//   pad: k / 2
//   in: in [3 * 32 * c] range(-128, 127)
//   wt: in [64 * k * k * c] range(-128, 127)
//   out: out [3 * 32 * 64]
__global__ void conv_nhwc_i8(int h, int w, int c_in, int kh, int kw, int stride, int pad,
                             const int8_t *__restrict__ in, const int8_t *__restrict__ wt, int32_t *__restrict__ out)
{
    __shared__ int8_t sm_in[PIX][CH_TILE];        /* one tap of PIX pixels   */
    __shared__ int8_t sm_wt[OUT_CH][CH_TILE + 4]; /* the tap of all channels */
    const int oc = threadIdx.x;                   /* 0..63 */
    const int oy = blockIdx.y, ox0 = blockIdx.x * PIX;
    int32_t acc[PIX] = { 0 };

    for (int ky = 0; ky < kh; ky++)
        for (int kx = 0; kx < kw; kx++)
            for (int c0 = 0; c0 < c_in; c0 += CH_TILE) {
                /* input pixels, zero outside of the image */
                for (int i = threadIdx.x; i < PIX * CH_TILE; i += OUT_CH) {
                    const int px = i / CH_TILE, c = i % CH_TILE;
                    const int iy = oy * stride + ky - pad;
                    const int ix = (ox0 + px) * stride + kx - pad;
                    sm_in[px][c] = (iy >= 0 && iy < h && ix >= 0 && ix < w)
                                     ? in[(iy * w + ix) * c_in + c0 + c]
                                     : 0;
                }
                /* weights */
                for (int i = threadIdx.x; i < OUT_CH * CH_TILE; i += OUT_CH) {
                    const int o = i / CH_TILE, c = i % CH_TILE;
                    sm_wt[o][c] = wt[((o * kh + ky) * kw + kx) * c_in + c0 + c];
                }
                __syncthreads();

                for (int c = 0; c < CH_TILE; c++) {
                    const int32_t weight = sm_wt[oc][c];
#pragma unroll
                    for (int px = 0; px < PIX; px++)
                        acc[px] += weight * sm_in[px][c];
                }
                __syncthreads();
            }

    for (int px = 0; px < PIX; px++)
        out[(oy * gridDim.x * PIX + ox0 + px) * OUT_CH + oc] = acc[px];
}

void conv(int h, int w, int c, int k, const int8_t *in, const int8_t *wt, int32_t *out)
{
    conv_nhwc_i8<<<dim3(w / PIX, h), OUT_CH>>>(h, w, c, k, k, 1, k / 2, in, wt, out);
}
