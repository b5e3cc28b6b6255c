// What the loads go by is an element that compute changes under a name of its own.
__global__ void shifted(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[32];
    float sum = 0.f;
    int at[2] = {0, 1};
    auto &[from, other] = at;
    for (int i = 0; i < n; i += 32) {
        s[threadIdx.x] = a[at[0] + i + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 32; ++j) {
            sum += s[j];
            from += s[j] > 0.f;
        }
        __syncthreads();
    }
    out[threadIdx.x] = sum + other;
}
