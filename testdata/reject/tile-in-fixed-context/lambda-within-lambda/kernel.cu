// The inner lambda copies what it names: of a rebound tile, all cells.
__global__ void fold_pairs(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float seg[64];
    const int t = threadIdx.x;
    float acc = 0.f;
    for (int k = 0; k < tiles; ++k) {
        seg[t] = x[k * 64 + t];
        __syncthreads();
        auto fold = [&](int i) {
            auto near = [=](int j) { return seg[(t + 8 * i + j) & 63]; };
            acc += near(1) - near(7);
        };
        for (int i = 0; i < 8; ++i)
            fold(i);
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = acc;
}

// This one takes everything by reference.
__global__ void fold_neighbours(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float seg[64];
    const int t = threadIdx.x;
    float acc = 0.f;
    for (int k = 0; k < tiles; ++k) {
        seg[t] = x[k * 64 + t];
        __syncthreads();
        auto fold = [&](int i) {
            auto near = [&, i](int j) { return seg[(t + 8 * i + j) & 63]; };
            acc += near(1) - near(7);
        };
        for (int i = 0; i < 8; ++i)
            fold(i);
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = acc;
}
