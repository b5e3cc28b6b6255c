// Loops that fill the tile again behind its use, and that cannot be turned.
#define T 64
#define USE for (int j = 0; j < T; ++j) acc += s[(t + j) % T] * (j + 1)

// What is loaded last is used behind the loop.
__global__ void used_behind(const int *__restrict__ a, const int *__restrict__ first,
                            int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    int t = threadIdx.x, acc = 0;
    s[t] = first[t];
    __syncthreads();
    for (int k = 0; k < tiles; ++k) {
        USE;
        __syncthreads();
        s[t] = a[k * T + t];
        __syncthreads();
    }
    out[t] = acc + s[T - 1 - t];
}

// ... or by what begins the next round.
__global__ void used_again(const int *__restrict__ a, const int *__restrict__ first,
                           int *__restrict__ out, int tiles, int rounds)
{
    __shared__ int s[T];
    int t = threadIdx.x, acc = 0;
    s[t] = first[t];
    __syncthreads();
    for (int r = 0; r < rounds; ++r)
        for (int k = 0; k < tiles; ++k) {
            USE;
            __syncthreads();
            s[t] = a[k * T + t];
            __syncthreads();
        }
    out[t] = acc;
}

// ... or through a pointer.
__global__ void used_by_pointer(const int *__restrict__ a, const int *__restrict__ first,
                                int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    int t = threadIdx.x, acc = 0;
    const int *last = s + (T - 1 - t);
    s[t] = first[t];
    __syncthreads();
    for (int k = 0; k < tiles; ++k) {
        USE;
        __syncthreads();
        s[t] = a[k * T + t];
        __syncthreads();
    }
    out[t] = acc + *last;
}

// What is left over is stored behind each use, also the last one.
__global__ void stores(const int *__restrict__ a, const int *__restrict__ first,
                       int *__restrict__ out, int *__restrict__ sums, int tiles)
{
    __shared__ int s[T];
    int t = threadIdx.x, acc = 0;
    s[t] = first[t];
    __syncthreads();
    for (int k = 0; k < tiles; ++k) {
        USE;
        __syncthreads();
        s[t] = a[k * T + t];
        sums[k * T + t] = acc;
        __syncthreads();
    }
    out[t] = acc;
}

// How far the loads have come is asked behind the loop.
__global__ void counts(const int *__restrict__ a, const int *__restrict__ first,
                       int *__restrict__ out, int tiles)
{
    __shared__ int s[T];
    int t = threadIdx.x, acc = 0, at = t;
    s[t] = first[t];
    __syncthreads();
    for (int k = 0; k < tiles; ++k) {
        USE;
        __syncthreads();
        s[t] = a[at];
        at += T;
        __syncthreads();
    }
    out[t] = acc + at;
}

// The guard is none of the next iteration's: the last load is made, and used.
__global__ void other_guard(const int *__restrict__ a, const int *__restrict__ first,
                            int *__restrict__ out, int tiles, int rounds)
{
    __shared__ int s[T];
    int t = threadIdx.x, acc = 0;
    s[t] = first[t];
    __syncthreads();
    for (int r = 0; r < rounds; ++r)
        for (int k = 0; k < tiles; ++k) {
            USE;
            __syncthreads();
            if (k < tiles)
                s[t] = a[k * T + t];
            __syncthreads();
        }
    out[t] = acc;
}

// The loop's end depends on what the loads do.
__global__ void until(const int *__restrict__ a, const int *__restrict__ first,
                      int *__restrict__ out, int end)
{
    __shared__ int s[T];
    int t = threadIdx.x, acc = 0, at = 0;
    s[t] = first[t];
    __syncthreads();
    for (int k = 0; at < end; ++k) {
        USE * k;
        __syncthreads();
        s[t] = a[at * T + t];
        ++at;
        __syncthreads();
    }
    out[t] = acc;
}

// What another build does behind the load it does for the last row, too, of which there is no load.
#ifdef HALVES
#define HALVED(x) x /= 2
#else
#define HALVED(x)
#endif
__global__ void halved_behind(const int *__restrict__ a, int *__restrict__ out, int n)
{
    __shared__ int s[T];
    int t = threadIdx.x, acc = 0;
    s[t] = a[t];
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < T; ++i)
            acc += s[i] * (i + t);
        __syncthreads();
        if (k + 1 < n)
            s[t] = a[(k + 1) * T + t];
        HALVED(acc);
        __syncthreads();
    }
    out[t] = acc;
}
