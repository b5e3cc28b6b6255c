__global__ void decltype_rows(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float m[16][24];
    const int x = threadIdx.x, y = threadIdx.y;
    float s = 0.f;
    for (int k = 0; k < n; k += 24) {
        m[y][x] = in[(blockIdx.x * 16 + y) * n + k + x];
        __syncthreads();
        using Tile = decltype(m);
        const Tile &whole = m;
        for (unsigned i = 0; i < sizeof(Tile) / 16 / sizeof(float); ++i)
            s += whole[15 - y][i];
        __syncthreads();
    }
    out[(blockIdx.x * 16 + y) * 24 + x] = s;
}
