// Rows of keys, 16 bytes at a time, and beside them one number each: nearly all that is
// copied is wide.
#include <cuda_runtime.h>

#define ROWS 64
#define DIM 32

// pipelinify: launch scores
//   sizes    n=1,63,64,65,200
//   target   n=65536
//   grid     2
//   block    64
//   q:       in  [2 * 32] random
//   keys:    in  [n * 32] random
//   bias:    in  [n] random
//   out:     out [2 * 64]
//   n:       n
__global__ void __launch_bounds__(64) scores(const float *__restrict__ q, const float *__restrict__ keys,
                                             const float *__restrict__ bias, float *__restrict__ out, int n)
{
    __shared__ float4 rows[ROWS][DIM / 4 + 1];
    __shared__ float add[ROWS];
    const int t = threadIdx.x;
    const float own = q[blockIdx.x * DIM + t % DIM];
    float best = -1e30f, sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source cbed8084
    int first = 0;
    if (first < n) {
        auto compute_tile = [&]() {
            float s = add[t];
            for (int c = 0; c < DIM / 4; ++c)
                s += own * (rows[t][c].x + rows[t][c].w);
            const float more = fmaxf(best, s);
            sum = sum * __expf(best - more) + __expf(s - more);
            best = more;
        };
        for (int i = t; i < ROWS * DIM / 4; i += 64) {
            const int r = i / (DIM / 4), c = i % (DIM / 4);
            float4 v = make_float4(0.f, 0.f, 0.f, 0.f);
            if (first + r < n)
                v = reinterpret_cast<const float4 *>(keys)[(first + r) * (DIM / 4) + c];
            rows[r][c] = v;
        }
        add[t] = first + t < n ? bias[first + t] : -INFINITY;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += ROWS; first < n; first += ROWS) {
            float4 rows_next[(ROWS * DIM / 4) / 64];
            #pragma unroll
            for (int slot = 0; slot < (ROWS * DIM / 4) / 64; ++slot) {
                int i = t + slot * 64;
                const int r = i / (DIM / 4), c = i % (DIM / 4);
                float4 v = make_float4(0.f, 0.f, 0.f, 0.f);
                if (first + r < n)
                    v = reinterpret_cast<const float4 *>(keys)[(first + r) * (DIM / 4) + c];
                rows_next[slot] = v;
            }
            float add_next = first + t < n ? bias[first + t] : -INFINITY;
            compute_tile();
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < (ROWS * DIM / 4) / 64; ++slot) {
                int i = t + slot * 64;
                const int r = i / (DIM / 4), c = i % (DIM / 4);
                rows[r][c] = rows_next[slot];
            }
            add[t] = add_next;
            __syncthreads();
        }
        compute_tile();
    }
    out[blockIdx.x * 64 + t] = best + sum;
}
