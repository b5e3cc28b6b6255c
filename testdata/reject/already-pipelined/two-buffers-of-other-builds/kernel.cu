// Loops with two buffers of which another build may say something else: what an #if leaves out here, what a macro is
// there, and two numbers that are one by default. One is the same in each.
#ifdef SCALE
#define SCALED(x) x *= SCALE
#define MORE(k) ((k) + 2 < n)
#define FROM(p, i) (p)[(i) + 1]
#else
#define SCALED(x)
#define MORE(k) ((k) + 1 < n)
#define FROM(p, i) (p)[i]
#endif
#ifndef WIDTH
#define WIDTH 64
#endif
#ifndef LEFT
#define LEFT 3
#endif
#ifndef RIGHT
#define RIGHT 3
#endif

__global__ void scaled_sums(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float rows[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    rows[0][t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            rows[(k + 1) & 1][t] = a[(k + 1) * 64 + t];
        SCALED(s);
        for (int i = 0; i < 64; ++i)
            s += rows[k & 1][i] * (i + t);
        __syncthreads();
    }
    out[t] = s;
}

__global__ void two_ahead(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float rows[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    rows[0][t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (MORE(k))
            rows[(k + 1) & 1][t] = a[(k + 1) * 64 + t];
        for (int i = 0; i < 64; ++i)
            s += rows[k & 1][i] * (i + t);
        __syncthreads();
    }
    out[t] = s;
}

__global__ void shifted_rows(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float rows[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    rows[0][t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            rows[(k + 1) & 1][t] = FROM(a, (k + 1) * 64 + t);
        for (int i = 0; i < 64; ++i)
            s += rows[k & 1][i] * (i + t);
        __syncthreads();
    }
    out[t] = s;
}

__global__ void of_any_width(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float rows[2][WIDTH];
    const int t = threadIdx.x;
    float s = 0.f;
    rows[0][t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            rows[(k + 1) & 1][t] = a[(k + 1) * WIDTH + t];
        for (int i = 0; i < WIDTH; ++i)
            s += rows[k & 1][i] * (i + t);
        __syncthreads();
    }
    out[t] = s;
}

__global__ void edges_apart(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float rows[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    rows[0][t] = a[t + LEFT];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            rows[(k + 1) & 1][t] = a[(k + 1) * 64 + t + RIGHT];
        for (int i = 0; i < 64; ++i)
            s += rows[k & 1][i] * (i + t);
        __syncthreads();
    }
    out[t] = s;
}

__global__ void left_out(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float rows[2][64];
    const int t = threadIdx.x;
    float s = 0.f;
    rows[0][t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        if (k + 1 < n)
            rows[(k + 1) & 1][t] = a[(k + 1) * 64 + t];
#ifdef DECAY
        s *= DECAY;
#endif
        for (int i = 0; i < 64; ++i)
            s += rows[k & 1][i] * (i + t);
        __syncthreads();
    }
    out[t] = s;
}
