template <class Op>
__global__ void __launch_bounds__(32) sums(const float *__restrict__ from, float *__restrict__ to, int tiles, Op op)
{
    __shared__ float tile[32];
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        tile[threadIdx.x] = from[t * 32 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 32; ++k)
            sum += op(tile[k]);
        __syncthreads();
    }
    to[threadIdx.x] = sum;
}

struct doubled {
    __device__ float operator()(float x) const { return x * 2; }
};

inline void go()
{
    sums<<<1, 32>>>(nullptr, nullptr, 4, doubled());
}
