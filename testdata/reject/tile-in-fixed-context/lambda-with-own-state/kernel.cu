// The lambda counts its calls in a copy of its own: one made too early would
// be another tile's.
__global__ void strided_sums(const float *__restrict__ A, float *__restrict__ sums, int n)
{
    __shared__ float part[128];
    int at = 0;
    auto next = [=]() mutable { return A[at++ * 128 + threadIdx.x]; };
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        part[threadIdx.x] = next();
        __syncthreads();
        for (int k = 0; k < 128; ++k)
            sum += part[k] / (float)(1 + (k ^ threadIdx.x));
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}
