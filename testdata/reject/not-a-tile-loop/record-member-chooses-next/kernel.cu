// The best row of one tile, a member beside the tile, says where the next one lies.
#include <cuda_runtime.h>

struct Search {
    float tile[64];
    int best;
};

__global__ void descend(const float *__restrict__ x, int *__restrict__ path, int depth)
{
    __shared__ Search s;
    const int t = threadIdx.x;

    if (t == 0)
        s.best = 0;
    __syncthreads();

    for (int d = 0; d < depth; ++d) {
        s.tile[t] = x[(d * 64 + s.best) * 64 + t];
        __syncthreads();
        if (t == 0) {
            int best = 0;
            for (int i = 1; i < 64; ++i)
                if (s.tile[i] > s.tile[best])
                    best = i;
            s.best = best;
            path[d] = best;
        }
        __syncthreads();
    }
}
