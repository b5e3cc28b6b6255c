// The pointers lie in constant memory; what they point to does not.
struct Buffers {
    const float *from;
    float *log;
};
__constant__ Buffers buffers;
__constant__ float *log_of_all;
__constant__ float *logs[2];

__global__ void smooth0(float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = buffers.from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        buffers.log[i * 64 + 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth1(const float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        log_of_all[i * 64 + 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth2(const float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *log = log_of_all;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        log[i * 64 + 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth3(const float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *log = logs[n & 1];
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        log[i * 64 + 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}
