// Registers ahead of a 2D tile with a padded row; float4 loads, scalar reads.
#define TS 16
__global__ void matvecs(const float4 *__restrict__ A, const float *__restrict__ x, float *__restrict__ y, int cols4)
{
    __shared__ float tile[2][TS][TS * 4 + 1];
    const int r = threadIdx.y, c = threadIdx.x, chunks = cols4 / TS;
    float4 reg = {};
    float sum = 0.f;
    auto put = [&](int b, const float4 &v) {
        tile[b][r][c * 4 + 0] = v.x;
        tile[b][r][c * 4 + 1] = v.y;
        tile[b][r][c * 4 + 2] = v.z;
        tile[b][r][c * 4 + 3] = v.w;
    };
    if (chunks > 0)
        put(0, A[r * cols4 + c]);
    __syncthreads();
    for (int q = 0; q < chunks; ++q) {
        const bool more = q + 1 < chunks;
        if (more)
            reg = A[r * cols4 + (q + 1) * TS + c];
        for (int j = 0; j < TS * 4; j += TS)
            sum += tile[q & 1][c][j + r] * x[q * TS * 4 + j + r];
        if (more)
            put((q + 1) & 1, reg);
        __syncthreads();
    }
    y[(blockIdx.x * TS + r) * TS + c] = sum;
}
void run(const float4 *a, const float *x, float *y, int c) { matvecs<<<3, dim3(TS, TS)>>>(a, x, y, c); }
