// Needleman-Wunsch on one 32 x 32 block: an anti-diagonal a step.
constexpr int B = 32;

__global__ void nw_block(const int *__restrict__ similarity, int *__restrict__ score, int penalty)
{
    __shared__ int d[B + 1][B + 1];
    __shared__ int sim[B][B];
    const int t = threadIdx.x;

    for (int r = 0; r < B; ++r)
        sim[r][t] = similarity[(blockIdx.x * B + r) * B + t];
    d[t + 1][0] = -(t + 1) * penalty;
    d[0][t + 1] = -(t + 1) * penalty;
    if (t == 0) d[0][0] = 0;
    __syncthreads();

    for (int diag = 0; diag < 2 * B - 1; ++diag) {
        const int i = t + 1;
        const int j = diag - t + 1;
        if (j >= 1 && j <= B) {
            const int match = d[i - 1][j - 1] + sim[i - 1][j - 1];
            d[i][j] = max(match, max(d[i - 1][j], d[i][j - 1]) - penalty);
        }
        __syncthreads();
    }
    for (int r = 0; r < B; ++r)
        score[(blockIdx.x * B + r) * B + t] = d[r + 1][t + 1];
}
