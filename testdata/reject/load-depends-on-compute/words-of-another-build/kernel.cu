// Uses of macros that are empty here, and are not in another build, where a loop is looked at in another form: that would
// be without them.
#include <cuda_pipeline.h>

#define T 64
#ifdef CAREFUL
#define HALVED(x) x *= 0.5f;
#define AND(c) &&(c)
#define BEHIND(n) +(n)
#else
#define HALVED(x)
#define AND(c)
#define BEHIND(n)
#endif

// The header of a loop over elements asks for more.
__global__ void asked_by_header(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int j = 0; j < n AND(sum < 9.f); ++j) {
        if (j % T == 0) {
            __syncthreads();
            s[threadIdx.x] = x[j + threadIdx.x];
            __syncthreads();
        }
        sum += s[j % T] * (threadIdx.x + 1);
    }
    y[threadIdx.x] = sum;
}

// ... and the branch that refills the tile.
__global__ void refilled_if(const float *__restrict__ x, float *__restrict__ y, int n, int first)
{
    __shared__ float s[T];
    float sum = 0.f;
    s[threadIdx.x] = x[threadIdx.x];
    for (int j = 0; j < n; ++j) {
        if (j % T == 0 AND(j >= first)) {
            __syncthreads();
            s[threadIdx.x] = x[j + threadIdx.x];
            __syncthreads();
        }
        sum += s[j % T] * (threadIdx.x + 1);
    }
    y[threadIdx.x] = sum;
}

// Whoever leaves does something before.
__global__ void last_words(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    int base = T;
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (;;) {
        for (int j = 0; j < T; ++j)
            sum += s[j] * (threadIdx.x + 1);
        if (base >= n) {
            HALVED(sum)
            break;
        }
        __syncthreads();
        s[threadIdx.x] = x[base + threadIdx.x];
        base += T;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The same words stand in the use, too, which is written twice.
__global__ void leaves_at_both(const float *__restrict__ x, float *__restrict__ y, int n, int most)
{
    __shared__ float s[T];
    float sum = 0.f;
    int base = T;
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    for (;;) {
        HALVED(sum)
        for (int j = 0; j < T; ++j)
            sum += s[j] * (threadIdx.x + 1);
        if (base >= n) HALVED(sum)
            break;
        __syncthreads();
        s[threadIdx.x] = x[base + threadIdx.x];
        base += T;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// Behind the break of an arm, and ahead of the first.
__global__ void arms(const float *__restrict__ x, float *__restrict__ y, int n, int kind)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        switch (kind) {
        case 0:
            s[threadIdx.x] = x[k + threadIdx.x];
            break;
            HALVED(sum)
        default:
            s[threadIdx.x] = -x[k + threadIdx.x];
            break;
        }
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (threadIdx.x + 1);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The condition of a continue.
__global__ void passed_over(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        float v = s[threadIdx.x ^ 1];
        __syncthreads();
        if (v < 0.f AND(k > 0))
            continue;
        sum += v;
    }
    y[threadIdx.x] = sum;
}

// An argument of a copy that is waited for at once.
__global__ void copied_from(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        __pipeline_memcpy_async(&s[threadIdx.x], &x[k + threadIdx.x] BEHIND(n), 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (threadIdx.x + 1);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// An argument of a helper that waits.
static __device__ void wait_and_add(float &v, float w)
{
    __syncthreads();
    v += w;
}

__global__ void added_while_waiting(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        s[threadIdx.x] = x[k + threadIdx.x];
        wait_and_add(sum, 1.f BEHIND(k));
        for (int j = 0; j < T; ++j)
            sum += s[j] * (threadIdx.x + 1);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The declaration of a record of which the members would become objects.
struct Room {
    float tile[T];
    float rest[T];
};

#ifdef CAREFUL
#define TWICE(name) , name
#else
#define TWICE(name)
#endif

__global__ void rooms(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Room r TWICE(other);
    float sum = 0.f;
    for (int k = 0; k < n; k += T) {
        r.tile[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += r.tile[j] * (threadIdx.x + 1);
        r.rest[threadIdx.x] = sum;
        __syncthreads();
        sum += r.rest[threadIdx.x ^ 1];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// What is handed on from ahead of the loop is loaded elsewhere, there.
__global__ void __launch_bounds__(T) planes(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[T];
    int at = threadIdx.x;
    float behind = x[at], here = x[at + 64 BEHIND(1)];
    for (int k = 2; k < n; ++k) {
        float ahead = x[k * 64 + at];
        s[at] = here;
        __syncthreads();
        y[k * 64 + at] = behind + s[at ^ 1] + ahead;
        __syncthreads();
        behind = here;
        here = ahead;
    }
}
