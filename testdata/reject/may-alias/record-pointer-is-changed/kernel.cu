// A pointer in a record is changed by a method, by name, or through a table.
struct Log {
    float *p;
    __device__ void set(float *q) { p = q; }
    __device__ void put(int i, float v) { p[i] = v; }
};
__device__ Log device_log;
__device__ void put(Log log, int i, float v) { log.p[i] = v; }
__device__ void put_first(float **table, int i, float v) { table[0][i] = v; }
__device__ float *pointer_of(Log log) { return log.p; }

__global__ void smooth0(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    Log log = {to};
    log.set(from + 64);
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        log.p[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth1(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    device_log.p = from + 64;
    __syncthreads();
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        device_log.p[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth2(Log log, float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    log.p = from + 64;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        log.p[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth3(Log log, float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    log.set(from + 64);
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        log.put(i * 64 + t, sum);
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth4(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    Log log = {from + 64};
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        put(log, i * 64 + t, sum);
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth5(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    Log log = {from + 64};
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        pointer_of(log)[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth6(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *table[1] = {from + 64};
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        put_first(table, i * 64 + t, sum);
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth7(float **table, float **other, float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    other[0] = from + 64;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        table[0][i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}
