// Sorts every column of the tile; the write is two calls down.
__device__ inline void order(float &a, float &b)
{
    const float lo = fminf(a, b);
    b = fmaxf(a, b);
    a = lo;
}

__device__ void sort8(float (*col)[64], int c)
{
    for (int pass = 0; pass < 8; ++pass)
        for (int r = pass & 1; r + 1 < 8; r += 2)
            order(col[r][c], col[r + 1][c]);
}

__global__ void median_of_eight(const float *__restrict__ frames, float *__restrict__ med,
                                int groups, int pitch)
{
    __shared__ float frame[8][64];
    const int x = blockIdx.x * 64 + threadIdx.x;
    float total = 0.f;
    for (int g = 0; g < groups; ++g) {
        for (int f = 0; f < 8; ++f)
            frame[f][threadIdx.x] = frames[(g * 8 + f) * pitch + x];
        __syncthreads();
        sort8(frame, threadIdx.x);
        __syncthreads();
        total += frame[3][threadIdx.x] + frame[4][63 - threadIdx.x];
        __syncthreads();
    }
    med[x] = total;
}
