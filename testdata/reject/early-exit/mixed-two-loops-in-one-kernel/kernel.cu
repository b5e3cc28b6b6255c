constexpr int T = 32;

// First pass: a plain tile loop. Second pass: leaves the loop when the sum is
// large enough, the same for the whole block.
__global__ void two_passes(const float *__restrict__ X, const float *__restrict__ Y,
                           float *__restrict__ out, int n, float enough)
{
    __shared__ float t[T][T + 1];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float first = 0.f, second = 0.f;

    for (int k = 0; k < n; k += T) {
        t[ty][tx] = X[(blockIdx.x * T + ty) * n + k + tx];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            first += t[tx][i] * t[ty][i];
        __syncthreads();
    }

    for (int k = 0; k < n; k += T) {
        t[ty][tx] = Y[(blockIdx.x * T + ty) * n + k + tx];
        __syncthreads();
        float all = 0.f;
        for (int i = 0; i < T; ++i)
            all += t[i][i];
        second += all * t[tx][ty];
        __syncthreads();
        if (all > enough) break;
    }
    out[(blockIdx.x * T + ty) * T + tx] = first + second;
}
