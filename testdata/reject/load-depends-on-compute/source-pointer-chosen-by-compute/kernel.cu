__global__ void two_level_sum(const float *__restrict__ coarse, const float *__restrict__ fine,
                              float *__restrict__ out, int tiles, float limit)
{
    __shared__ float t[128];
    const int i = threadIdx.x;
    const float *src = coarse;
    float sum = 0.f;
    for (int k = 0; k < tiles; ++k) {
        t[i] = src[k * 128 + i];
        __syncthreads();
        float part = 0.f;
        for (int j = 0; j < 128; ++j)
            part += t[j];
        sum += part * t[127 - i];
        src = part > limit ? fine : coarse;
        __syncthreads();
    }
    out[blockIdx.x * 128 + i] = sum;
}
