/* The tile loop stands in a loop over queries: what counts the rows is made once, and goes on from query to query. */
#include <cuda_runtime.h>

#define KEYS 16
#define DIM 128

// pipelinify: launch best_keys
//   sizes    queries=5 keys=0,1,15,16,17,32,48,50,80
//   sizes    queries=2 keys=112
//   sizes    queries=3,4 keys=48
//   target   queries=4096 keys=4096
//   requires queries > 0
//   grid     2
//   block    128
//   q:       in  [queries * 128]
//   k:       in  [keys * 128]
//   best:    out [queries * 128]
//   queries: queries
//   keys:    keys
__global__ void best_keys(const float *__restrict__ q, const float *__restrict__ k, float *__restrict__ best,
                          int queries, int keys)
{
    __shared__ float rows[KEYS][DIM];
    for (int at = blockIdx.x; at < queries; at += gridDim.x)
    {
        float mine = q[at * DIM + threadIdx.x];
        float most = -1e30f;
        for (int k0 = 0; k0 < keys; k0 += KEYS)
        {
            for (int i = threadIdx.x; i < KEYS * DIM; i += 128)
            {
                int r = i / DIM;
                int c = i % DIM;
                if (k0 + r < keys)
                    rows[r][c] = k[(k0 + r) * DIM + c];
                else
                    rows[r][c] = 0.0f;
            }
            __syncthreads();
            for (int r = 0; r < KEYS; ++r)
                most = fmaxf(most, mine * rows[r][(threadIdx.x + r) % DIM]);
            __syncthreads();
        }
        best[at * DIM + threadIdx.x] = most;
    }
}
