// Threads differ in z as well, which is what the threads that load differ in.
__global__ void deep(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float tile[4][16];
    const int t = threadIdx.z * 16 + threadIdx.x;
    float sum = 0;
    // tiles
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.z][threadIdx.x] = x[i + t];
        __syncthreads();
        sum += tile[3 - threadIdx.z][15 - threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 64 + t] = sum;
}

void run(const float *x, float *out, int n) { deep<<<4, dim3(16, 1, 4)>>>(x, out, n); }
