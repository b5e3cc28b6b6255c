// Normaliser of a softmax over all keys: one pass over the tiles for the maximum, a second one on the same array for the sum.
#include <cuda_runtime.h>
#include <math_constants.h>

const int KT = 64;

__device__ float score(float q, float k) { return q * k - 0.25f * k * k; }

// pipelinify: launch softmax_stats
//   sizes  nq=64 nk=1,63,64,65,128,192,256,320,321
//   sizes  nq=30,65 nk=150
//   target nq=65536 nk=32768
//   grid   (nq + 63) / 64
//   block  64
//   query: in  [nq] range(-4, 4)
//   key:   in  [nk] range(-4, 4)
//   row_max: out [nq]
//   row_sum: out [nq]
//   nq:    nq
//   nk:    nk
__global__ void softmax_stats(const float* query, const float* key,
                              float* row_max, float* row_sum, int nq, int nk) {
    __shared__ float keys[KT];
    int row = blockIdx.x * KT + threadIdx.x;
    float q = row < nq ? query[row] : 0.0f;

    // pass 1: maximum
    float top = -CUDART_INF_F;
    // pipelinify: ldg-single, 1 stage, source 06ec3967
    {
        int t = 0, t_tile = t;
        if (t < nk) {
            if (t + threadIdx.x < nk)
                keys[threadIdx.x] = key[t + threadIdx.x];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (t += KT; t < nk; t += KT) {
                float keys_next;
                if (t + threadIdx.x < nk)
                    keys_next = key[t + threadIdx.x];
                for (int k = 0; k < min(KT, nk - t_tile); ++k)
                    top = fmaxf(top, score(q, keys[k]));
                t_tile += KT;
                __syncthreads();
                if (t + threadIdx.x < nk)
                    keys[threadIdx.x] = keys_next;
                __syncthreads();
            }
            for (int k = 0; k < min(KT, nk - t_tile); ++k)
                top = fmaxf(top, score(q, keys[k]));
            __syncthreads();
        }
    }

    // pass 2: sum of exponentials
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source a89d1eb6
    {
        int t = 0, t_tile = t;
        if (t < nk) {
            if (t + threadIdx.x < nk)
                keys[threadIdx.x] = key[t + threadIdx.x];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (t += KT; t < nk; t += KT) {
                float keys_next;
                if (t + threadIdx.x < nk)
                    keys_next = key[t + threadIdx.x];
                for (int k = 0; k < min(KT, nk - t_tile); ++k)
                    sum += expf(score(q, keys[k]) - top);
                t_tile += KT;
                __syncthreads();
                if (t + threadIdx.x < nk)
                    keys[threadIdx.x] = keys_next;
                __syncthreads();
            }
            for (int k = 0; k < min(KT, nk - t_tile); ++k)
                sum += expf(score(q, keys[k]) - top);
        }
    }

    if (row < nq) {
        row_max[row] = top;
        row_sum[row] = sum;
    }
}
