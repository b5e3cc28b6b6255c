// A source-to-source tool of the author's reads this attribute; compilers warn
// about it and drop it. What it asks for is not known here.
#define TILE 64

__global__ void annotated_dot(const float *__restrict__ a, const float *__restrict__ b,
                              float *__restrict__ c, int n)
{
    __shared__ float s[TILE];
    const int t = threadIdx.x;
    float acc = 0.f;
    for (int k = 0; k < n; k += TILE) {
        [[stager::keep_order(2)]] s[t] = a[k + t];
        __syncthreads();
        for (int j = 0; j < TILE; ++j)
            acc += s[j] * b[(blockIdx.x * TILE + t) * n + k + j];
        __syncthreads();
    }
    c[blockIdx.x * TILE + t] = acc;
}
