// A helper says its line, and gives it back as a value.
#include <stdio.h>

__device__ int given_back(int line)
{
    printf("line %d\n", line);
    return line;
}

__global__ void sums_given(const float *__restrict__ rows, float *__restrict__ sums, int n)
{
    __shared__ float row[64];
    float sum = 0.0f;
    for (int r = 0; r < n; ++r)
    {
        row[threadIdx.x] = rows[r * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += row[k];
        __syncthreads();
    }
    if (sum != sum)
        sum = given_back(__LINE__);
    sums[threadIdx.x] = sum;
}
