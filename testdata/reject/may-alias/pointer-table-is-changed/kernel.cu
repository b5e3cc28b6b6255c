// A table of pointers whose entries are changed in other ways than log[0] = ...

__global__ void smooth0(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *log[2] = {to, to};
    *log = from + 64;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        log[0][i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth1(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *log[2] = {to, to};
    1[log] = from + 64;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        log[1][i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth2(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *log[2] = {to, to};
    *(log + 1) = from + 64;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        log[1][i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth3(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *log[2] = {to, to};
    float **entry = log;
    entry[1] = from + 64;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        log[1][i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth4(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *log[2] = {to, to};
    for (float *&entry : log)
        entry = from + 64;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        log[1][i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth5(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *a = to, *b = to;
    (n > 2 ? a : b) = from + 64;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        a[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth6(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *log = to;
    (log = to + 1) = from + 64;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        log[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth7(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *a = to, *b = to;
    for (int i = 0; i < 3; ++i) {
        float *c = a;
        a = b;
        b = c;
        a = from + 64;
    }
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        b[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}
