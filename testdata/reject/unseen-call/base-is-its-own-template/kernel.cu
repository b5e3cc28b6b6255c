// Raw moments of a row, weighted by a table that all blocks share. The sums are
// a pack that derives from the rest of itself, one power a level.
constexpr int kChunk = 64;

template <typename T, int Power, int Count>
struct Moments : Moments<T, Power + 1, Count> {
    T sum = T(0);

    __device__ void add(T x, T power)
    {
        sum += power;
        Moments<T, Power + 1, Count>::add(x, power * x);
    }
    __device__ void store(T *out) const
    {
        out[Power] = sum;
        Moments<T, Power + 1, Count>::store(out);
    }
};

template <typename T, int Count>
struct Moments<T, Count, Count> {
    __device__ void add(T, T) {}
    __device__ void store(T *) const {}
};

template <int Count>
__global__ void row_moments(const float *__restrict__ x, const float *__restrict__ w,
                            float *__restrict__ out, int cols)
{
    __shared__ float weight[kChunk];
    const long row = blockIdx.x * (long)kChunk + threadIdx.x;
    Moments<float, 0, Count> moments;
    for (int c0 = 0; c0 < cols; c0 += kChunk) {
        const int c = c0 + threadIdx.x;
        weight[threadIdx.x] = c < cols ? w[c] : 0.f;
        __syncthreads();
        for (int j = 0; j < kChunk && c0 + j < cols; ++j)
            moments.add(x[row * cols + c0 + j], weight[j]);
        __syncthreads();
    }
    moments.store(out + row * Count);
}
