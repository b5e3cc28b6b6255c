constexpr int TS = 32;

__global__ void corr_lambda(const float *__restrict__ P, const float *__restrict__ Q,
                            float *__restrict__ R, int n)
{
    __shared__ float p[TS][TS];
    __shared__ float q[TS][TS];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;

    auto product = [&](int k) { return p[ty][k] * q[k][tx]; };

    float r = 0.f;
    for (int k0 = 0; k0 < n; k0 += TS) {
        p[ty][tx] = P[row * n + k0 + tx];
        q[ty][tx] = Q[(k0 + ty) * n + col];
        __syncthreads();
        for (int k = 0; k < TS; ++k)
            r += product(k);
        __syncthreads();
    }
    R[row * n + col] = r;
}
