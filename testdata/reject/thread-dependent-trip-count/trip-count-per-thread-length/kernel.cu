#define CHUNK 64

// Every thread walks its own ragged row and stops at its own length.
__global__ void ragged_sum(const float *__restrict__ rows,
                           const int *__restrict__ len,
                           float *__restrict__ out, int pitch)
{
    __shared__ float buf[CHUNK][CHUNK + 1];
    const int tid = threadIdx.x;
    const int n = len[blockIdx.x * CHUNK + tid];
    const float *row = rows + (size_t)(blockIdx.x * CHUNK + tid) * pitch;
    float sum = 0.f;

    for (int i = 0; i < n; i += CHUNK) {
        for (int j = 0; j < CHUNK; ++j)
            buf[tid][j] = row[i + j];
        __syncthreads();
        for (int j = 0; j < CHUNK; ++j)
            sum += buf[(tid + j) % CHUNK][j];
        __syncthreads();
    }
    out[blockIdx.x * CHUNK + tid] = sum;
}
