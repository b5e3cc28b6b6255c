// Prefix products in place: what a later tile is loaded from is stored by way of
// a pointer that a function knows by reference.
template <class Row>
__device__ void put(Row &row, int at, float v)
{
    row[at] = v;
}

template <class Row>
__device__ void put_copy(Row &row, int at, float v)
{
    auto begin = row;
    *(begin + at) = v;
}

template <class Row>
__device__ void put_on(Row &row, int at, float v)
{
    put(row, at, v);
}

__device__ void append(float *&row, float v)
{
    *row = v;
    row += 32;
}

__device__ void aim(float *&row, float *at, int skip)
{
    row = at;
    row += skip;
}

__global__ void deduced(float *a, int n)
{
    __shared__ float s[32];
    float *next = a + 32, sum = 0.0f;
    for (int k = 0; k < n; k += 32) {
        s[threadIdx.x] = a[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            sum += s[i] * s[i ^ threadIdx.x];
        put(next, k + threadIdx.x, sum);
        __syncthreads();
    }
}

__global__ void copied(float *a, int n)
{
    __shared__ float s[32];
    float *next = a + 32, sum = 0.0f;
    for (int k = 0; k < n; k += 32) {
        s[threadIdx.x] = a[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            sum += s[i] * s[i ^ threadIdx.x];
        put_copy(next, k + threadIdx.x, sum);
        __syncthreads();
    }
}

__global__ void handed_on(float *a, int n)
{
    __shared__ float s[32];
    float *next = a + 32, sum = 0.0f;
    for (int k = 0; k < n; k += 32) {
        s[threadIdx.x] = a[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            sum += s[i] * s[i ^ threadIdx.x];
        put_on(next, k + threadIdx.x, sum);
        __syncthreads();
    }
}

__global__ void appended(float *a, int n)
{
    __shared__ float s[32];
    float *next = a + 32 + threadIdx.x, sum = 0.0f;
    for (int k = 0; k < n; k += 32) {
        s[threadIdx.x] = a[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            sum += s[i] * s[i ^ threadIdx.x];
        append(next, sum);
        __syncthreads();
    }
}

// The function gives the pointer another object.
__global__ void aimed(float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[32];
    float *next = out, sum = 0.0f;
    aim(next, a, 32);
    for (int k = 0; k < n; k += 32) {
        s[threadIdx.x] = a[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            sum += s[i] * s[i ^ threadIdx.x];
        next[k + threadIdx.x] = sum;
        __syncthreads();
    }
}
