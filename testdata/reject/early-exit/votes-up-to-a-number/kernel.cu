// The block votes to leave once it has what it looks for. How many tiles there are nothing
// says: the loops count up to a number that no run comes to, whatever they begin with.

__global__ void settles_by_blocks(const float *__restrict__ field, float *__restrict__ out, float goal)
{
    __shared__ float tile[128];
    float sum = 0.0f;
    for (int t = blockIdx.x; t < 1000000; t += gridDim.x) {
        if (__syncthreads_and(sum > goal))
            break;
        tile[threadIdx.x] = field[t * 128 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            sum += tile[i] * ((i + threadIdx.x) % 7);
    }
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}

__global__ void counter_of_the_function(const float *__restrict__ field, float *__restrict__ out, float goal)
{
    __shared__ float tile[128];
    float sum = 0.0f;
    int t;
    for (t = 0; t < 1 << 20; ++t) {
        if (__syncthreads_and(sum > goal))
            break;
        tile[threadIdx.x] = field[t * 128 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            sum += tile[i] * ((i + threadIdx.x) % 7);
    }
    out[threadIdx.x] = sum;
}

__global__ void guard_of_every_second(const float *__restrict__ field, float *__restrict__ out, float goal)
{
    __shared__ float tile[128];
    float sum = 0.0f;
    for (int t = 0; t < 1000000; ++t) {
        if (__syncthreads_and(sum > goal))
            break;
        tile[threadIdx.x] = t % 2 == 0 ? field[t * 128 + threadIdx.x] : 1.0f;
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            sum += tile[i] * ((i + threadIdx.x) % 7);
    }
    out[threadIdx.x] = sum;
}

__global__ void up_to_what_there_is(const float *__restrict__ field, float *__restrict__ out, float goal, int tiles)
{
    __shared__ float tile[128];
    float sum = 0.0f;
    for (int t = blockIdx.x; t < tiles; t += gridDim.x) {
        if (__syncthreads_and(sum > goal))
            break;
        tile[threadIdx.x] = field[t * 128 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            sum += tile[i] * ((i + threadIdx.x) % 7);
    }
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}

__global__ void down_from_what_there_is(const float *__restrict__ field, float *__restrict__ out, float goal, int tiles)
{
    __shared__ float tile[128];
    float sum = 0.0f;
    for (int left = tiles; left > 0; --left) {
        if (__syncthreads_and(sum > goal))
            break;
        tile[threadIdx.x] = field[(tiles - left) * 128 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            sum += tile[i] * ((i + threadIdx.x) % 7);
    }
    out[threadIdx.x] = sum;
}

__global__ void guard_of_each(const float *__restrict__ field, float *__restrict__ out, float goal, int cells)
{
    __shared__ float tile[128];
    float sum = 0.0f;
    for (int t = 0; t < 1000000; ++t) {
        if (__syncthreads_and(sum > goal))
            break;
        const int at = t * 128 + threadIdx.x;
        const bool there = at < cells;
        tile[threadIdx.x] = there ? field[at] : 1.0f;
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            sum += tile[i] * ((i + threadIdx.x) % 7);
    }
    out[threadIdx.x] = sum;
}
