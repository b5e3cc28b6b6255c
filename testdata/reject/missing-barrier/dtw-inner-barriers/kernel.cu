// Dynamic time warping of query tiles: the barriers behind the use of a tile are those of the loop over its diagonals.
__global__ void dtw(const float *__restrict__ q, const float *__restrict__ t, float *__restrict__ o, int n, int m)
{
    __shared__ float qs[32], prev[33];
    const int x = threadIdx.x;
    const float mine = t[x];
    prev[x + 1] = x == 0 ? 0.f : 1e9f;
    if (x == 0) prev[0] = 0.f;
    float d = 1e9f;
    for (int b = 0; b < n; b += 32) {
        qs[x] = q[b + x];
        __syncthreads();
        for (int s = 0; s < 63; ++s) {
            const int row = s - x;
            float left = prev[x], up = prev[x + 1];
            __syncthreads();
            if (row >= 0 && row < 32) { d = fabsf(qs[row] - mine) + fminf(left, up); prev[x + 1] = d; }
            __syncthreads();
        }
    }
    o[x] = d;
}
