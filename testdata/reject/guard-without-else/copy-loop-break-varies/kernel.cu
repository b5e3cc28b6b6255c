// The last chunk stops loading where the row ends; what lies behind keeps older values, and the sum
// reads it.
__global__ void __launch_bounds__(64)
row_sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float chunk[256];
    const int t = threadIdx.x;
    float s = 0.f;
    for (int k = 0; k < n; k += 256) {
        for (int i = t; i < 256; i += 64) {
            if (k + i >= n)
                break;
            chunk[i] = x[blockIdx.x * n + k + i];
        }
        __syncthreads();
        for (int j = 0; j < 4; ++j)
            s += chunk[(t * 4 + j + 1) % 256];
        __syncthreads();
    }
    y[blockIdx.x * 64 + t] = s;
}
