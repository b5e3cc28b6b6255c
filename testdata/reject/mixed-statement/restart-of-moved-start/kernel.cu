// Where the counter starts moves on before the fill does: set anew for the stores,
// it would start from there.
__global__ void strip(const float *__restrict__ a, float *__restrict__ o, int n, int m)
{
    __shared__ float As[512];
    __shared__ float Ws[512];
    const int t = threadIdx.x;
    float s = 0;
    for (int k0 = 0; k0 < n; k0 += 32) {
        int left = m;
        m -= 4;
        for (int j = 0; j < 8; ++j) {
            if (left > 0) {
                As[j * 64 + t] = a[k0 * 16 + j * 64 + t];
                Ws[j * 64 + t] = 1.f;
            } else {
                As[j * 64 + t] = 0.f;
                Ws[j * 64 + t] = 0.f;
            }
            left -= 2;
        }
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            s += As[(i * 16 + t) % 512] * Ws[(i * 5 + t) % 512];
        __syncthreads();
    }
    o[t] = s;
}
