// The step is the size of a type, and a number of the body has its name: behind the body the
// macro would say the number's size.
struct row {
    float cells[32];
};
#define ROWS (sizeof(row) / 64)

__global__ void every_other(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float line[512];
    float sum = 0;
    for (int t = 0; t < tiles; t += ROWS) {
        double row = t * 512 + threadIdx.x;
        line[threadIdx.x] = x[(int)row];
        __syncthreads();
        for (int k = 0; k < 32; ++k)
            sum += line[(threadIdx.x & ~31) + k] * row;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// One that hides none.
__global__ void every_other_number(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float line[512];
    float sum = 0;
    for (int t = 0; t < tiles; t += ROWS) {
        double at = t * 512 + threadIdx.x;
        line[threadIdx.x] = x[(int)at];
        __syncthreads();
        for (int k = 0; k < 32; ++k)
            sum += line[(threadIdx.x & ~31) + k] * at;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
