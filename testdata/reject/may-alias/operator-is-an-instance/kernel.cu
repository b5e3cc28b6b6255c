// A class template keeps what it is given in itself for one argument, and in memory
// that the next tiles are loaded from for another: that one is called by an operator
// alone.
struct beside { float at[4]; };
struct elsewhere { float *at; };

template <typename WHERE> struct keeper
{
    WHERE where;
    __device__ void operator()(int i, float v) { where.at[i] = v; }
};

template <int I> __device__ float kept(float v)
{
    keeper<beside> keep = {};
    keep(I, v);
    return keep.where.at[I];
}

__global__ void __launch_bounds__(64) keeping(const float *in, float *out, int n)
{
    __shared__ float tile[64];
    keeper<elsewhere> keep;
    float sum = 0;

    keep.where.at = out;
    for (int t = 0; t < n; t++)
    {
        tile[threadIdx.x] = in[t * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i];
        sum += kept<1>(sum);
        keep(t * 64 + threadIdx.x, sum);
        __syncthreads();
    }
}
