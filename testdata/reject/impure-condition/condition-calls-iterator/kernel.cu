struct TileIter {
    int at, end, width;
    // Moves to the next tile; false at the end.
    __device__ bool next() { at += width; return at < end; }
};

template <typename T, int WIDTH>
__global__ void weighted_columns(const T *__restrict__ m, const T *__restrict__ w,
                                 T *__restrict__ sums, int rows, int ld)
{
    __shared__ T weights[WIDTH];
    const int col = blockIdx.x * WIDTH + threadIdx.x;
    TileIter it{-WIDTH, rows, WIDTH};
    T sum = T(0);
    while (it.next()) {
        weights[threadIdx.x] = w[it.at + threadIdx.x];
        __syncthreads();
        for (int r = 0; r < WIDTH; ++r)
            sum += weights[r] * m[(size_t)(it.at + r) * ld + col];
        __syncthreads();
    }
    sums[col] = sum;
}

template __global__ void weighted_columns<float, 128>(const float *, const float *,
                                                      float *, int, int);
