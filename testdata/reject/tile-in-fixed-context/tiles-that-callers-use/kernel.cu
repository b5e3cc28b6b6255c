// Tiles of callers that are more to them than what one function fills and uses: no stages of the
// function's own can stand for them. (One buffer can: the loops are legal.)
#define T 64
#define USE for (int j = 0; j < T; ++j) sum += s[(threadIdx.x + j) % T] * (j + 1)

// What is left in it is read behind the call.
__device__ float read_behind(float (&s)[T], const float *__restrict__ a, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x] = a[k + threadIdx.x];
        __syncthreads();
        USE;
        __syncthreads();
    }
    return sum;
}
__global__ void reads_behind(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    float sum = read_behind(s, a, n);
    __syncthreads();
    out[threadIdx.x] = sum + s[T - 1 - threadIdx.x];
}

// A cell that the function leaves alone is set ahead of it.
__device__ float set_before(float (&s)[T + 1], const float *__restrict__ a, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x] = a[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j <= T; ++j) sum += s[(threadIdx.x + j) % (T + 1)] * (j + 1);
        __syncthreads();
    }
    return sum;
}
__global__ void sets_before(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T + 1];
    if (threadIdx.x == 0) s[T] = 1;
    __syncthreads();
    out[threadIdx.x] = set_before(s, a, n);
}

// Halves of the block have tiles of their own.
__device__ float of_halves(float (&s)[T], const float *__restrict__ a, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x % T] = a[k + threadIdx.x % T];
        __syncthreads();
        USE;
        __syncthreads();
    }
    return sum;
}
__global__ void halves(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n)
{
    __shared__ float s[T], r[T];
    if (threadIdx.x < T)
        out[threadIdx.x] = of_halves(s, a, n);
    else
        out[threadIdx.x] = of_halves(r, b, n);
}

// Two parameters get one object.
__device__ float of_one(float *s, float *r, const float *__restrict__ a, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x] = a[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j) sum += r[(threadIdx.x + j) % T];
        __syncthreads();
    }
    return sum;
}
__global__ void one_for_both(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    out[threadIdx.x] = of_one(s, s, a, n);
}

// A pointer is given arrays of different sizes.
__device__ float of_sizes(float *s, const float *__restrict__ a, int n, int size)
{
    float sum = 0;
    for (int k = 0; k < n; k += size) {
        for (int i = threadIdx.x; i < size; i += T) s[i] = a[k + i];
        __syncthreads();
        for (int j = 0; j < size; ++j) sum += s[(threadIdx.x + j) % size];
        __syncthreads();
    }
    return sum;
}
__global__ void sizes(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    __shared__ float r[2 * T];
    out[threadIdx.x] = of_sizes(s, a, n, T) + of_sizes(r, a, n, 2 * T);
}

// The tile is a member of a union, the other members of which serve what follows.
union Shared {
    float line[T];
    int counts[T];
};
__device__ float of_a_member(float (&s)[T], const float *__restrict__ a, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x] = a[k + threadIdx.x];
        __syncthreads();
        USE;
        __syncthreads();
    }
    return sum;
}
__global__ void of_a_union(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ Shared shared;
    float sum = of_a_member(shared.line, a, n);
    __syncthreads();
    out[threadIdx.x] = sum + shared.counts[threadIdx.x];
}

// What the call before left in one of two is read behind a loop that did not run.
__device__ float reads_last(float (&s)[T], const float *__restrict__ a, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x] = a[k + threadIdx.x];
        __syncthreads();
        USE;
        __syncthreads();
    }
    return sum + s[T - 1 - threadIdx.x];
}
__global__ void calls_before(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T], r[T];
    float x = reads_last(s, a, n);
    __syncthreads();
    x += reads_last(r, a + T, n);
    __syncthreads();
    out[threadIdx.x] = x + reads_last(s, a, 0);
}
