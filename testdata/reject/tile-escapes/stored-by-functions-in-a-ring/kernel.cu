// Functions that call each other, each of which hands on what another one stores.
__device__ const float *kept[64];

__device__ void keep_left(const float *p, const float *q, int depth);

__device__ void keep_right(const float *p, const float *q, int depth)
{
    if (depth > 0)
        keep_left(q, p, depth - 1);
}

__device__ void keep_left(const float *p, const float *q, int depth)
{
    if (depth > 0)
        keep_right(p, q, depth - 1);
    else
        kept[threadIdx.x] = p;
}

__device__ void carry(float *from, float *to, float sum, int depth)
{
    if (depth > 0)
        carry(to, from, sum, depth - 1);
    else
        from[threadIdx.x] = sum;
}

__device__ float *nearer(float *a, float *b, int depth)
{
    return depth > 0 ? nearer(b, a, depth - 1) : a;
}

__global__ void address(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        keep_right(y, tile, 3);
        for (int j = 0; j < 64; ++j)
            sum += tile[j] + kept[threadIdx.x][j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void source(float *x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += tile[j];
        carry(y, x + 64 * (k + 1), sum, 3);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void by_return(float *x, float *__restrict__ y, int tiles)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += tile[j];
        nearer(y, x + 64 * (k + 1), 3)[threadIdx.x] = sum;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

void run(float *x, float *y)
{
    address<<<1, 64>>>(x, y, 4);
    source<<<1, 64>>>(x, y, 4);
    by_return<<<1, 64>>>(x, y, 4);
}
