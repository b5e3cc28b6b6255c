// How many tiles there are is set behind a jump that some threads take, or by a lambda
// that some threads call.
__global__ void by_goto(const float *__restrict__ x, float *__restrict__ y, int mode)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    int count = 3;
    if (threadIdx.x & 1)
        goto skip;
    count = 4;
skip:
    for (int k = 0; k < count; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += tile[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void by_break(const float *__restrict__ x, float *__restrict__ y, int mode)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    int count = 3;
    switch (mode) {
    case 4:
        if (threadIdx.x & 1)
            break;
        count = 4;
    }
    for (int k = 0; k < count; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += tile[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void by_return(const float *__restrict__ x, float *__restrict__ y, int mode)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    int count = 3;
    auto set = [&] {
        if (threadIdx.x & 1)
            return;
        count = 4;
    };
    set();
    for (int k = 0; k < count; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += tile[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void by_reference(const float *__restrict__ x, float *__restrict__ y, int mode)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    int count = 3;
    auto set = [&](int &to) { to = 4; };
    if (threadIdx.x & 1)
        set(count);
    for (int k = 0; k < count; ++k) {
        tile[threadIdx.x] = x[64 * k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += tile[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
