// Keeps the pairs that are near: the slot that an atomic gives is where a pair goes.
__global__ void near_pairs(const float *__restrict__ x, int2 *__restrict__ pairs, int *__restrict__ count,
                           float reach, int n)
{
    __shared__ float other[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    const float own = i < n ? x[i] : 0.f;
    for (int j0 = 0; j0 < n; j0 += 64) {
        other[threadIdx.x] = j0 + threadIdx.x < n ? x[j0 + threadIdx.x] : 1e30f;
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            if (i < n && fabsf(own - other[j]) < reach)
                pairs[atomicAdd(count, 1)] = make_int2(i, j0 + j);
        __syncthreads();
    }
}

// The same, by a block that gives what its last statement does.
__global__ void near_pairs_next(const float *__restrict__ x, int2 *__restrict__ pairs, int *__restrict__ count,
                                float reach, int n)
{
    __shared__ float other[64];
    const int i = blockIdx.x * 64 + threadIdx.x;
    const float own = i < n ? x[i] : 0.f;
    for (int j0 = 0; j0 < n; j0 += 64) {
        other[threadIdx.x] = j0 + threadIdx.x < n ? x[j0 + threadIdx.x] : 1e30f;
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            if (i < n && fabsf(own - other[j]) < reach) {
                const int slot = ({ atomicAdd(count, 1); });
                pairs[slot] = make_int2(i, j0 + j);
            }
        __syncthreads();
    }
}
