// Each thread clears the cell that it has used up, so that a short tile finds
// zeros where nothing is loaded.
__global__ void clear_after_use(const int *__restrict__ start, const float *__restrict__ val,
                                float *__restrict__ out, int groups)
{
    __shared__ float bin[256];
    const int t = threadIdx.x;
    float s = 0.f;

    bin[t] = 0.f;
    for (int g = 0; g < groups; ++g) {
        const int n = start[g + 1] - start[g];
        if (t < n) bin[t] = val[start[g] + t];
        __syncthreads();
        for (int j = 0; j < 256; j += 2)
            s += bin[(j + t) & 255];
        __syncthreads();
        bin[t] = 0.f;
    }
    out[blockIdx.x * 256 + t] = s;
}
