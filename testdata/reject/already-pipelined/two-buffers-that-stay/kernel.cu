// Loops with two buffers that cannot be shown to be one with one buffer.
#include <cuda_pipeline.h>

// What is loaded ahead is not what the loop would load.
__global__ void begins_elsewhere(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float c[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    c[0][t] = a[t + 1];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            c[(k + 1) & 1][t] = a[(k + 1) * 64 + t];
        for (int i = 0; i < 64; ++i)
            s += c[k & 1][(t + i) % 64] * (i + 1);
        __syncthreads();
    }
    out[t] = s;
}

// The last tile that is used is not loaded.
__global__ void guard_of_fewer(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float c[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    c[0][t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 2 < n)
            c[(k + 1) & 1][t] = a[(k + 1) * 64 + t];
        for (int i = 0; i < 64; ++i)
            s += c[k & 1][(t + i) % 64] * (i + 1);
        __syncthreads();
    }
    out[t] = s;
}

// Which buffer was the last one is asked.
__global__ void slot_is_asked(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float c[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    int buf = 0;
    c[0][t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            c[buf ^ 1][t] = a[(k + 1) * 64 + t];
        for (int i = 0; i < 64; ++i)
            s += c[buf][(t + i) % 64] * (i + 1);
        buf ^= 1;
        __syncthreads();
    }
    out[t] = s + buf;
}

// The pointer that is loaded from is moved on elsewhere.
__global__ void pointer_moves_on(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float c[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    const float *at = a;
    c[0][t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        at += 64;
        if (k + 1 < n)
            c[(k + 1) & 1][t] = at[t];
        for (int i = 0; i < 64; ++i)
            s += c[k & 1][(t + i) % 64] * (i + 1);
        __syncthreads();
    }
    out[t] = s;
}

// The last tile is used behind the loop.
__global__ void used_behind(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float c[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    c[0][t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            c[(k + 1) & 1][t] = a[(k + 1) * 64 + t];
        for (int i = 0; i < 64; ++i)
            s += c[k & 1][(t + i) % 64] * (i + 1);
        __syncthreads();
    }
    out[t] = s + c[n & 1][t];
}

// Loads go to the buffer that is used.
__global__ void one_slot(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float c[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    c[0][t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            c[k & 1][t] = a[(k + 1) * 64 + t];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            s += c[k & 1][(t + i) % 64] * (i + 1);
        __syncthreads();
    }
    out[t] = s;
}

// The first tile is in the other buffer.
__global__ void other_slot_first(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float c[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    c[1][t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            c[(k + 1) & 1][t] = a[(k + 1) * 64 + t];
        for (int i = 0; i < 64; ++i)
            s += c[k & 1][(t + i) % 64] * (i + 1);
        __syncthreads();
    }
    out[t] = s;
}

// No barrier shows that all threads run the loop as often.
__global__ void no_barrier(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float c[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    c[0][t] = a[t];
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            c[(k + 1) & 1][t] = a[(k + 1) * 64 + t];
        s += c[k & 1][t];
    }
    out[t] = s;
}

// The counter moves by two.
__global__ void by_twos(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float c[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    c[0][t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; k += 2) {
        if (k + 2 < n)
            c[(k + 1) & 1][t] = a[(k + 2) * 64 + t];
        for (int i = 0; i < 64; ++i)
            s += c[k & 1][(t + i) % 64] * (i + 1);
        __syncthreads();
    }
    out[t] = s;
}

// The buffers change places in a branch.
__global__ void turned_now_and_then(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float c[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    int buf = 0;
    c[0][t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            c[buf ^ 1][t] = a[(k + 1) * 64 + t];
        for (int i = 0; i < 64; ++i)
            s += c[buf][(t + i) % 64] * (i + 1);
        if (k % 3)
            buf ^= 1;
        __syncthreads();
    }
    out[t] = s;
}

// The loop may be left.
__global__ void leaves_early(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float c[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    c[0][t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            c[(k + 1) & 1][t] = a[(k + 1) * 64 + t];
        for (int i = 0; i < 64; ++i)
            s += c[k & 1][(t + i) % 64] * (i + 1);
        __syncthreads();
        if (a[k] < 0.f)
            break;
    }
    out[t] = s;
}

// What is loaded ahead is changed before the loop.
__global__ void changed_in_between(float *a, float *__restrict__ out, int n)
{
    __shared__ float c[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    c[0][t] = a[t];
    a[t] = 1.f;
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            c[(k + 1) & 1][t] = a[(k + 1) * 64 + t];
        for (int i = 0; i < 64; ++i)
            s += c[k & 1][(t + i) % 64] * (i + 1);
        __syncthreads();
    }
    out[t] = s;
}

// Compute changes what is loaded next.
__global__ void stores_to_the_source(float *a, float *__restrict__ out, int n)
{
    __shared__ float c[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    c[0][t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            c[(k + 1) & 1][t] = a[(k + 1) * 64 + t];
        for (int i = 0; i < 64; ++i)
            s += c[k & 1][(t + i) % 64] * (i + 1);
        a[(k + 1) * 64 + 63 - t] = s;
        __syncthreads();
    }
    out[t] = s;
}

// A wait is for copies to another place, too.
__global__ void waits_for_others(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float c[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    __shared__ float table[64];
    __pipeline_memcpy_async(&c[0][t], a + t, 4);
    __pipeline_commit();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            __pipeline_memcpy_async(&c[(k + 1) & 1][t], a + (k + 1) * 64 + t, 4);
        __pipeline_memcpy_async(&table[t], a + k * 64 + t, 4);
        __pipeline_commit();
        __pipeline_wait_prior(1);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            s += c[k & 1][(t + i) % 64] * (i + 1);
        s += table[t];
        __syncthreads();
    }
    out[t] = s;
}

// Another instantiation has three buffers.
template <int N>
__global__ void of_two_and_three(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float c[N][64];
    const int t = threadIdx.x;
    float s = 0.f;
    c[0][t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            c[(k + 1) % N][t] = a[(k + 1) * 64 + t];
        for (int i = 0; i < 64; ++i)
            s += c[k % N][(t + i) % 64] * (i + 1);
        __syncthreads();
    }
    out[t] = s;
}

void run(const float *a, float *out, int n)
{
    of_two_and_three<2><<<1, 64>>>(a, out, n);
    of_two_and_three<3><<<1, 64>>>(a, out, n);
}

// The wait ahead of the loop is for the bias, too.
__global__ void waits_for_the_bias(const float *__restrict__ a, const float *__restrict__ bias,
                                   float *__restrict__ out, int n)
{
    __shared__ float rows[2][64], b[64];
    const int t = threadIdx.x;
    float s = 0.f;
    __pipeline_memcpy_async(&b[t], bias + t, 4);
    __pipeline_commit();
    rows[0][t] = a[t];
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            rows[(k + 1) & 1][t] = a[(k + 1) * 64 + t];
        for (int i = 0; i < 64; ++i)
            s += rows[k & 1][i] * b[(i + t) % 64];
        __syncthreads();
    }
    out[t] = s + b[63 - t];
}

// What a band leaves of a row is from the row before the last, not from the last one.
__global__ void bands_that_shrink(const float *__restrict__ a, float *__restrict__ out, int n,
                                  int width)
{
    __shared__ float rows[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    if (t < width)
        rows[0][t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            if (t < width - (k + 1) * 16)
                rows[(k + 1) & 1][t] = a[(k + 1) * 64 + t];
        if (k > 1)
            for (int i = 0; i < 64 && i < width; ++i)
                s += rows[k & 1][i] * (i + t);
        __syncthreads();
    }
    out[t] = s;
}

// With an odd number of rows the second group begins with the other buffer.
__global__ void groups_that_turn_on(const float *__restrict__ a, float *__restrict__ out, int n,
                                    int groups)
{
    __shared__ float rows[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    int cur = 0;
    for (int g = 0; g < groups; ++g) {
        rows[0][t] = a[g * n * 64 + t];
        __syncthreads();
        for (int k = 0; k < n; ++k) {
            if (k + 1 < n)
                rows[cur ^ 1][t] = a[(g * n + k + 1) * 64 + t];
            for (int i = 0; i < 64; ++i)
                s += rows[cur][i] * (i + t);
            cur ^= 1;
            __syncthreads();
        }
    }
    out[t] = s;
}

// Those that leave have loaded a part of the first row, and of no other one.
__global__ void leave_behind_the_first(const float *__restrict__ a, float *__restrict__ out,
                                       int n, int rows_left)
{
    __shared__ float rows[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    rows[0][t] = a[t];
    __syncthreads();
    if (t >= rows_left)
        return;
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            rows[(k + 1) & 1][t] = a[(k + 1) * 64 + t];
        for (int i = 0; i < 64; ++i)
            s += rows[k & 1][i] * (i + t);
        __syncthreads();
    }
    out[t] = s;
}

// One step ahead of the first row, an unsigned counter times a wide pitch is no row at all.
__global__ void rows_far_apart(const float *__restrict__ a, float *__restrict__ out, unsigned n,
                               long pitch)
{
    __shared__ float rows[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    rows[0][t] = a[t];
    __syncthreads();
    for (unsigned k = 0; k < n; ++k) {
        if (k + 1 < n)
            rows[(k + 1) & 1][t] = a[k * pitch + pitch + t];
        for (int i = 0; i < 64; ++i)
            s += rows[k & 1][i] * (i + t);
        __syncthreads();
    }
    out[t] = s;
}
