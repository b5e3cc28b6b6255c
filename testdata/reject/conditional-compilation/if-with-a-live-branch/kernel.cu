// Of each #if another branch is compiled in other builds, where the loop cannot be rewritten, or not in this way.
#define T 64

__global__ void checked_build(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x] = x[k + threadIdx.x];
#if 0 || defined(CHECKED)
        __syncthreads();
        s[threadIdx.x] *= 2.0f;
#endif
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// A sum that diverges ends it.
__global__ void leaves_early(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j) {
            sum += s[j];
#ifdef WATCHED
            if (!(sum < 1e30f))
                return;
#endif
        }
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// Without the second barrier, as warps of Volta and later are said not to need it.
__global__ void barrier_of_some(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
#if !defined(SKIP_BARRIER)
        __syncthreads();
#endif
    }
    y[threadIdx.x] = sum;
}

// One build reads ahead of what the other one stores.
__global__ void stores_its_source(float *x, float *y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
#ifdef CLEAR_BEHIND
        x[k + T + threadIdx.x] = 0.f;
#endif
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The copy of the text would stand on other lines.
__global__ void by_line(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
#if __LINE__ < 100
        sum *= 0.5f;
#endif
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The macro says one thing in the first loop and another in the second.
__global__ void changes_between(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
#define HALVES 0
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
#if HALVES
        sum *= 0.5f;
#endif
        __syncthreads();
    }
#undef HALVES
    y[threadIdx.x] = sum;
}

// Two headers and one body: the #if begins in front of the loop, whichever it is.
__global__ void two_headers(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
#ifndef BACKWARDS
    for (int k = 0; k < n; k += T) {
#else
    for (int k = n - T; k >= 0; k -= T) {
#endif
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void other_header(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
#ifdef BACKWARDS
    for (int k = n - T; k >= 0; k -= T) {
#else
    for (int k = 0; k < n; k += T) {
#endif
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The loop ends in either branch.
__global__ void two_ends(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
#ifdef TRACED
        __syncthreads();
        if (threadIdx.x == 0)
            y[T] = sum;
    }
#else
        __syncthreads();
    }
#endif
    y[threadIdx.x] = sum;
}

// One build steps by less.
__global__ void header_by_build(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n;
#ifdef OVERLAPPED
         k += T / 2) {
#else
         k += T) {
#endif
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
