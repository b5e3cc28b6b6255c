// Elimination order: step t brings rows t .. 15 anew, the rows above stay as
// their last step left them, and all sixteen are read.
__global__ void staircase(const float *__restrict__ L, float *__restrict__ z, int n)
{
    __shared__ float rows[16][33];
    const int lane = threadIdx.x;
    const int r = threadIdx.y;
    float s = 0.f;
    for (int t = 0; t < n; ++t) {
        if (r >= t)
            rows[r][lane] = L[(t * 16 + r) * 32 + lane];
        __syncthreads();
        for (int k = 0; k < 16; ++k)
            s += rows[k][(lane + r) & 31];
        __syncthreads();
    }
    z[(blockIdx.x * 16 + r) * 32 + lane] = s;
}
