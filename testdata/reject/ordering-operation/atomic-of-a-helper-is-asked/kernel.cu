// What an atomic in a helper gives back: the first kernel drops it, the others use it, or the
// helper does.
__device__ inline int add_at(int *address, int value)
{
    return atomicAdd(address, value);
}

__device__ inline int add_once(int *address, int value)
{
    int old = atomicAdd(address, value);
    if (old > 100)
        atomicSub(address, value);
    return old;
}

__global__ void dropped(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        add_at(sums + threadIdx.x, sum);
        __syncthreads();
    }
}

__global__ void asked(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    int turn = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        turn = add_at(sums + threadIdx.x, sum);
        __syncthreads();
    }
    sums[64 + threadIdx.x] = turn;
}

__global__ void asked_in_a_condition(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        while (add_at(sums + threadIdx.x, sum) < 0)
            sum++;
        __syncthreads();
    }
}

__global__ void asked_by_the_helper(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        add_once(sums + threadIdx.x, sum);
        __syncthreads();
    }
}

__global__ void asked_in_a_lambda(const int *__restrict__ in, int *__restrict__ sums, int n)
{
    __shared__ int tile[64];
    int seen = 0;
    for (int t = 0; t < n; t += 64) {
        tile[threadIdx.x] = in[t + threadIdx.x];
        __syncthreads();
        int sum = 0;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] ^ threadIdx.x;
        auto turn = [&]() { return add_at(sums + threadIdx.x, sum); };
        seen += turn();
        __syncthreads();
    }
    sums[64 + threadIdx.x] = seen;
}
