// Multi-resolution gather: the distance between windows doubles each time.
#define WIN 256

__global__ void pyramid_energy(const float *__restrict__ sig,
                               float *__restrict__ energy, int n)
{
    __shared__ float w[WIN];
    const int t = threadIdx.x;
    float e = 0.0f;
    int step = WIN;

    for (int at = 0; at + WIN <= n; at += step) {
        w[t] = sig[at + t];
        __syncthreads();
        e += w[t] * w[(t + 1) & (WIN - 1)];
        __syncthreads();
        step *= 2;
    }
    energy[blockIdx.x * WIN + t] = e;
}
