// Two levels: tiles ahead through registers, and of each tile the next row of fragments
// ahead of the products. Behind the last tile its first row is fetched once more, for
// nothing.
#define BK 8
__global__ void __launch_bounds__(64) sgemm(const float *A, const float *B, float *C, int K)
{
    __shared__ float As[2][BK][32];
    __shared__ float Bs[2][BK][32];
    float c[4][4] = {};
    float fa[2][4], fb[2][4];
    const int t = threadIdx.x, ty = t / 8, tx = t % 8;
    const int row = t / 8, col = t % 8 * 4;
    float4 ga = *(const float4 *)(A + row * 32 + col);
    float4 gb = *(const float4 *)(B + row * 32 + col);
    *(float4 *)&As[0][row][col] = ga;
    *(float4 *)&Bs[0][row][col] = gb;
    __syncthreads();
    for (int i = 0; i < 4; i++) {
        fa[0][i] = As[0][0][ty * 4 + i];
        fb[0][i] = Bs[0][0][tx * 4 + i];
    }
    int k = 0, w = 1;
    do {
        k += BK;
        if (k < K) {
            ga = *(const float4 *)(A + (k + row) * 32 + col);
            gb = *(const float4 *)(B + (k + row) * 32 + col);
        }
        const int r = w ^ 1;
#pragma unroll
        for (int j = 0; j < BK - 1; ++j) {
            for (int i = 0; i < 4; i++) {
                fa[(j + 1) % 2][i] = As[r][j + 1][ty * 4 + i];
                fb[(j + 1) % 2][i] = Bs[r][j + 1][tx * 4 + i];
            }
            for (int y = 0; y < 4; y++)
                for (int x = 0; x < 4; x++)
                    c[y][x] += fa[j % 2][y] * fb[j % 2][x];
        }
        if (k < K) {
            *(float4 *)&As[w][row][col] = ga;
            *(float4 *)&Bs[w][row][col] = gb;
            __syncthreads();
            w ^= 1;
        }
        for (int i = 0; i < 4; i++) {
            fa[0][i] = As[w ^ 1][0][ty * 4 + i];
            fb[0][i] = Bs[w ^ 1][0][tx * 4 + i];
        }
        for (int y = 0; y < 4; y++)
            for (int x = 0; x < 4; x++)
                c[y][x] += fa[1][y] * fb[1][x];
    } while (k < K);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            C[(ty * 4 + y) * 32 + tx * 4 + x] = c[y][x];
}

void run(const float *A, const float *B, float *C, int K)
{
    if (K % BK == 0 && K >= BK)
        sgemm<<<1, 64>>>(A, B, C, K);
}
