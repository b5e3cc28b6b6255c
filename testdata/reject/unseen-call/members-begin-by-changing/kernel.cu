// A member's own initialiser moves on what the loads read, or waits for another block.
struct Step {
    int *row;
    int by;
    int moved = (*row += by);
};

__global__ void rows_by_steps(const float *__restrict__ from, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    int row = 0;
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[row * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        Step step{&row, part[0] > 0.f ? 2 : 1};
        sum += step.by;
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

struct Seen {
    volatile int *flag;
    int value = *flag;
};

__global__ void flags_seen(const float *__restrict__ from, int *flags, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        if (threadIdx.x == 0) {
            Seen seen{flags + t};
            sum += seen.value;
        }
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}
