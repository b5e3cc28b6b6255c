// The whole 48 KiB are one tile of doubles; 64 threads would hold 96 of them each.
#define CAP 6144

__global__ void csr_panel(const double *__restrict__ vals, const double *__restrict__ x,
                          double *__restrict__ y, int panels)
{
    __shared__ double panel[CAP];
    double s = 0.0;
    for (int p = 0; p < panels; ++p) {
        for (int i = threadIdx.x; i < CAP; i += 64)
            panel[i] = vals[(size_t)p * CAP + i];
        __syncthreads();
        for (int i = threadIdx.x; i < CAP; i += 32)
            s += panel[i] * x[i];
        __syncthreads();
    }
    y[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
