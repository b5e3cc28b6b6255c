// What says how many tiles there are is a member, and a function that is handed the
// record makes it another number for every second thread.
struct Params {
    float *out;
    int tiles;
};

__device__ void halve(Params &p)
{
    if (threadIdx.x & 1)
        p.tiles /= 2;
}

__device__ void sums(Params p, const float *__restrict__ x)
{
    __shared__ float s[64];
    float sum = 0;
    halve(p);
    for (int i = 0; i < p.tiles; ++i) {
        s[threadIdx.x] = x[i * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[threadIdx.x ^ k] * k;
        __syncthreads();
    }
    p.out[threadIdx.x] = sum;
}

__global__ void all_sums(const Params p, const float *x) { sums(p, x); }
