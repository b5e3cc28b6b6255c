template <class F>
__device__ __forceinline__ float fold(int n, F f)
{
    float s = 0.f;
    for (int i = 0; i < n; ++i)
        s += f(i);
    return s;
}

struct Recorder {
    float *log;
    __device__ float operator()(int i) const
    {
        log[i] = 1.f;
        return log[i + 96];
    }
};

// What the functor stores to may be what the next tile is loaded from.
__global__ void fold_tiles(const float *x, float *y, int tiles)
{
    __shared__ float seg[96];
    const int t = threadIdx.x;
    float acc = 0.f;
    for (int k = 0; k < tiles; ++k) {
        seg[t] = x[k * 96 + t];
        __syncthreads();
        acc += fold(96, Recorder{y}) * seg[95 - t];
        __syncthreads();
    }
    y[blockIdx.x * 96 + t] = acc;
}
