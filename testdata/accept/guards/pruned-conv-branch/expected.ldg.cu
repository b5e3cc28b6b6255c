// 1x1 convolution with pruned channel groups: kept groups lie packed, so the weights' pointer steps inside the branch only.
#include <cuda_runtime.h>
#include <cuda_fp16.h>

#define GROUP 16

// pipelinify: launch pruned_conv
//   sizes  groups=1,2,3,5,9 pixels=64,130 outs=16
//   target groups=64 pixels=12544 outs=256
//   grid   (pixels + 63) / 64, outs / 16
//   block  64, 4
//   in:      in  [groups * 16 * pixels]
//   packed:  in  [groups * 16 * outs]
//   kept:    in  [groups] below(2)
//   out:     out [outs * pixels]
//   groups:  groups
//   pixels:  pixels
//   outs:    outs
__global__ void pruned_conv(const __half *__restrict__ in, const __half *__restrict__ packed,
                            const bool *__restrict__ kept, float *__restrict__ out,
                            int groups, int pixels, int outs)
{
    __shared__ __half image_stage[2][GROUP][64];
    __shared__ __half filter_stage[2][GROUP][16];
    const int lane = threadIdx.x, quad = threadIdx.y;
    const int pixel = blockIdx.x * 64 + lane;
    const __half *next = packed + blockIdx.y * 16;
    float acc[4] = {0.f, 0.f, 0.f, 0.f};

    // pipelinify: ldg, 2 stages, source 97f115a0
    int g = 0, stage = 0;
    bool more = false;
    for (; g < groups; ++g) {
            if (kept[g]) {
                    more = true;
                    break;
            }
    }
    if (more) {
            {
                    for (int i = quad; i < GROUP; i += 4)
                        image_stage[0][i][lane] = pixel < pixels ? in[(g * GROUP + i) * pixels + pixel]
                                                        : __float2half(0.f);
                    const int r = (quad * 64 + lane) / 16, o = lane % 16;
                    filter_stage[0][r][o] = next[r * outs + o];

                    next += GROUP * outs;   // packed: only kept groups
            }
            ++g;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            while (true) {
                    more = false;
                    for (; g < groups; ++g) {
                            if (kept[g]) {
                                    more = true;
                                    break;
                            }
                    }
                    if (!more)
                            break;
                    __half image_next[GROUP / 4];
                    #pragma unroll
                    for (int slot = 0; slot < GROUP / 4; ++slot) {
                            int i = quad + slot * 4;
                            if (i < GROUP) {
                                    image_next[slot] = __float2half(0.f);
                                    if (pixel < pixels)
                                            image_next[slot] = in[(g * GROUP + i) * pixels + pixel];
                            }
                    }
                    const int r = (quad * 64 + lane) / 16, o = lane % 16;
                    __half filter_next = next[r * outs + o];

                    for (int i = 0; i < GROUP; ++i)
                        for (int o = 0; o < 4; ++o)
                            acc[o] += __half2float(image_stage[stage][i][lane]) *
                                      __half2float(filter_stage[stage][i][quad * 4 + o]);
                    stage ^= 1;
                    #pragma unroll
                    for (int slot = 0; slot < GROUP / 4; ++slot) {
                            int i = quad + slot * 4;
                            if (i < GROUP)
                                    image_stage[stage][i][lane] = image_next[slot];
                    }
                    filter_stage[stage][r][o] = filter_next;
                    next += GROUP * outs;   // packed: only kept groups
                    __syncthreads();
                    ++g;
            }
            for (int i = 0; i < GROUP; ++i)
                for (int o = 0; o < 4; ++o)
                    acc[o] += __half2float(image_stage[stage][i][lane]) *
                              __half2float(filter_stage[stage][i][quad * 4 + o]);
    }

    if (pixel < pixels)
        for (int o = 0; o < 4; ++o)
            out[(blockIdx.y * 16 + quad * 4 + o) * pixels + pixel] = acc[o];
}
