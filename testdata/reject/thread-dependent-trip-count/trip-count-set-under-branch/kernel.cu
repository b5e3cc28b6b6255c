// The second half of the warps takes one tile less: a branch on the thread decides the bound.
#define TILE 64

__global__ void half_sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[TILE];
    int last = n;
    if (threadIdx.x >= TILE / 2)
        last -= TILE;

    float sum = 0.0f;
    for (int i = 0; i < last; i += TILE) {
        tile[threadIdx.x] = x[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += tile[k ^ threadIdx.x];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// Set through a reference by a function that knows the thread.
__device__ void my_share(int &count, int n)
{
    count = n / (1 + (threadIdx.x & 1));
}

__global__ void shared_out(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[TILE];
    int count;
    my_share(count, n);
    float sum = 0.0f;
    int i = 0;
    while (i < count) {
        tile[threadIdx.x] = x[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += tile[k ^ threadIdx.x];
        __syncthreads();
        i += TILE;
    }
    y[threadIdx.x] = sum;
}

// A branch on the block is the same for all of its threads.
__global__ void block_share(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[TILE];
    int last = n;
    if (blockIdx.x + 1 == gridDim.x)
        last -= TILE;
    float sum = 0.0f;
    for (int i = 0; i < last; i += TILE) {
        tile[threadIdx.x] = x[i + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < TILE; ++k)
            sum += tile[k ^ threadIdx.x];
        __syncthreads();
    }
    y[blockIdx.x * TILE + threadIdx.x] = sum;
}
