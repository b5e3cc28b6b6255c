// The first kernel's walk is a table read by the load side alone; the second
// one's next stop comes out of the tile.
__global__ void fixed_route(const int *__restrict__ stops, const float *__restrict__ data,
                            float *__restrict__ out, int len)
{
    __shared__ float here[96];
    const int t = threadIdx.x;
    float best = -1.f;
    for (int i = 0; i < len; ++i) {
        here[t] = data[stops[i] * 96 + t];
        __syncthreads();
        for (int j = 0; j < 96; ++j)
            best = fmaxf(best, here[j] - 0.125f * abs(j - t));
        __syncthreads();
    }
    out[blockIdx.x * 96 + t] = best;
}

__global__ void found_route(const int *__restrict__ stops, const float *__restrict__ data,
                            float *__restrict__ out, int len)
{
    __shared__ float here[96];
    const int t = threadIdx.x;
    float best = -1.f;
    int at = 0;
    for (int i = 0; i < len; ++i) {
        here[t] = data[stops[at] * 96 + t];
        __syncthreads();
        for (int j = 0; j < 96; ++j)
            best = fmaxf(best, here[j] - 0.125f * abs(j - t));
        at = (int)here[0];
        __syncthreads();
    }
    out[blockIdx.x * 96 + t] = best;
}
