// How many threads a block has is a build's to say: with 1024 there is no second layer, and launch bounds for 64 are
// too small for 128.
#ifndef THREADS
#define THREADS 64
#endif

__global__ void row_sums(const float *__restrict__ x, float *__restrict__ out, int rows)
{
    __shared__ float row[THREADS];
    float sum = 0.f;
    for (int r = 0; r < rows; ++r) {
        row[threadIdx.x] = x[r * THREADS + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < THREADS; ++i)
            sum += row[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

void run(const float *x, float *out, int rows) { row_sums<<<1, THREADS>>>(x, out, rows); }
