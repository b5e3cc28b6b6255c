// A vote at the head that may be all that keeps the next tile from being read, or whose
// outcome shows where the load side has come to.
#define T 64

// At most so many tiles: where they end, what was found says.
__global__ void to_the_mark(const float *__restrict__ x, float *__restrict__ y)
{
    __shared__ float s[T];
    float sum = 0.f;
    bool met = false;
    for (int k = 0; k < 100; ++k) {
        if (__syncthreads_or(met))
            break;
        s[threadIdx.x] = x[k * T + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i) {
            sum += s[i];
            met |= s[i] < 0.f;
        }
    }
    y[threadIdx.x] = sum;
}

// Nothing but the vote ends it.
__global__ void endless(const float *__restrict__ x, float *__restrict__ y)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0;; ++k) {
        if (__syncthreads_or(sum > 10.f))
            break;
        s[threadIdx.x] = x[k * T + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += s[i];
    }
    y[threadIdx.x] = sum;
}

// Each thread knows how far it may read.
__global__ void by_length(const float *__restrict__ x, const int *__restrict__ length,
                          float *__restrict__ y, int n)
{
    __shared__ float s[T];
    const int last = length[threadIdx.x];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        if (__syncthreads_or(sum > 10.f || k > last))
            break;
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += s[i];
    }
    y[threadIdx.x] = sum;
}

// Where the loop was left is asked for behind it.
__global__ void how_far(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    int k = 0;
    for (; k < n; k += T) {
        if (__syncthreads_and(sum > 10.f))
            break;
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += s[i];
    }
    y[threadIdx.x] = sum + k;
}

// So is the tile that was met last.
__global__ void last_tile(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        if (__syncthreads_and(sum > 10.f))
            break;
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += s[i];
    }
    y[threadIdx.x] = sum + s[T - 1 - threadIdx.x];
}

// What follows from the vote is another thing for each thread.
__global__ void not_all(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        if (__syncthreads_count(sum > 10.f) > threadIdx.x)
            break;
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += s[i];
    }
    y[threadIdx.x] = sum;
}

// The count is asked for again.
__global__ void counted(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        const int ready = __syncthreads_count(sum > 10.f);
        if (ready == T)
            break;
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < T; ++i)
            sum += s[i] * ready;
    }
    y[threadIdx.x] = sum;
}
