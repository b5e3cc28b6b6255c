// Persistent blocks take output tiles from a list; along K a table of bits passes blocks over, and a length ends the walk.
#include <cuda_runtime.h>

#define TS 16

// pipelinify: launch persistent_sparse
//   sizes  mt=1,3 nt=2 kt=0,1,2,5,7 blocks=1,2,5
//   target mt=128 nt=128 kt=128 blocks=264
//   grid   blocks
//   block  16, 16
//   a:      in  [mt * nt * 0 + mt * 16 * kt * 16 + 1]
//   b:      in  [kt * 16 * nt * 16 + 1]
//   bits:   in  [mt * nt] below(128)
//   length: in  [mt * nt] below(9)
//   c:      out [mt * 16 * nt * 16]
//   mt:     mt
//   nt:     nt
//   kt:     kt
__global__ void __launch_bounds__(TS * TS)
persistent_sparse(const float *__restrict__ a, const float *__restrict__ b,
                  const unsigned *__restrict__ bits, const unsigned *__restrict__ length,
                  float *__restrict__ c, unsigned mt, unsigned nt, unsigned kt)
{
    __shared__ float sa[TS][TS];
    __shared__ float sb[TS][TS + 1];
    const unsigned x = threadIdx.x, y = threadIdx.y;

    for (unsigned tile = blockIdx.x; tile < mt * nt; tile += gridDim.x) {
        const unsigned row = tile / nt * TS + y, col = tile % nt * TS + x;
        const unsigned wanted = bits[tile], end = length[tile];
        float sum = 0.0f;
        // pipelinify: ldg-single, 1 stage, source 78674f28
        unsigned t = 0;
        bool more = false;
        for (; t < kt; t++) {
            if (t == end)
                break;
            if ((wanted >> t & 1u) == 0)
                continue;
            more = true;
            break;
        }
        if (more) {
            sa[y][x] = a[row * kt * TS + t * TS + x];
            sb[y][x] = b[(t * TS + y) * nt * TS + col];
            t++;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            while (true) {
                more = false;
                for (; t < kt; t++) {
                    if (t == end)
                        break;
                    if ((wanted >> t & 1u) == 0)
                        continue;
                    more = true;
                    break;
                }
                if (!more)
                    break;
                float sa_next = a[row * kt * TS + t * TS + x];
                float sb_next = b[(t * TS + y) * nt * TS + col];
                for (unsigned k = 0; k < TS; k++)
                    sum += sa[y][k] * sb[k][x];
                __syncthreads();
                sa[y][x] = sa_next;
                sb[y][x] = sb_next;
                __syncthreads();
                t++;
            }
            for (unsigned k = 0; k < TS; k++)
                sum += sa[y][k] * sb[k][x];
            __syncthreads();
        }
        c[row * nt * TS + col] = sum;
    }
}
