// Rows are summed until a row says that it was the last one, by an answer that is true on its
// own and something else beside another truth.
struct Answer {
    int why;
    __device__ operator bool() const { return why != 0; }
};

__device__ inline bool operator||(Answer a, bool other) { return other || a.why > 3; }

__global__ void sum_until_told(const float *__restrict__ rows, float *__restrict__ sums, int n)
{
    __shared__ float row[64];
    const int t = threadIdx.x;
    float sum = 0.f;
    int k = 0;
    while (k < n) {
        row[t] = rows[k * 64 + t];
        __syncthreads();
        sum += row[(t + 1) % 64] * (float)(k + 1);
        __syncthreads();
        k++;
        if (Answer{k == 3 ? 2 : 0})
            break;
    }
    sums[blockIdx.x * 64 + t] = sum;
}

// The same by a number.
__global__ void sum_until_third(const float *__restrict__ rows, float *__restrict__ sums, int n)
{
    __shared__ float row[64];
    const int t = threadIdx.x;
    float sum = 0.f;
    int k = 0;
    while (k < n) {
        row[t] = rows[k * 64 + t];
        __syncthreads();
        sum += row[(t + 1) % 64] * (float)(k + 1);
        __syncthreads();
        k++;
        if (k == 3 ? 2 : 0)
            break;
    }
    sums[blockIdx.x * 64 + t] = sum;
}
