__global__ void typed_rows(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float m[16][24];
    using Tile = decltype(m);
    const int x = threadIdx.x, y = threadIdx.y;
    float s = 0.f;
    for (int k = 0; k < n; k += 24) {
        m[y][x] = in[(blockIdx.x * 16 + y) * n + k + x];
        __syncthreads();
        for (unsigned i = 0; i < sizeof(Tile) / sizeof(m[0]); ++i)
            s += m[i][x];
        __syncthreads();
    }
    out[(blockIdx.x * 16 + y) * 24 + x] = s;
}
