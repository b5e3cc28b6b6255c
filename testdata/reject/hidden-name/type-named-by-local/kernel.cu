// The type is that of a variable of the loop's body: its name cannot stand in front
// of the loop.
__global__ void scale_rows(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float seg[96];
    const int t = threadIdx.x;
    float acc = 0.f;
    for (int k = 0; k < tiles; ++k) {
        const float *row = x + k * 96;
        using Row = decltype(row);
        Row from = row + t;
        seg[t] = from[0];
        __syncthreads();
        acc += seg[95 - t];
        __syncthreads();
    }
    y[blockIdx.x * 96 + t] = acc;
}
