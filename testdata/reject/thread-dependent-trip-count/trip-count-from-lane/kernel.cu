// How far a thread walks depends on its lane, which the kernel gets in ways that do not say threadIdx.
#define TILE 128

__device__ int lane_of_helper() { return threadIdx.x & 31; }

__device__ __forceinline__ int lane_of_asm()
{
    int lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}

__global__ void skewed_by_helper(const double *__restrict__ v, double *__restrict__ r, int n)
{
    __shared__ double part[TILE];
    double s = 0.0;
    for (int i = 0; i < n - lane_of_helper(); i += TILE) {
        part[threadIdx.x] = v[i + threadIdx.x];
        __syncthreads();
        s += part[threadIdx.x] * part[TILE - 1 - threadIdx.x];
        __syncthreads();
    }
    r[threadIdx.x] = s;
}

__global__ void skewed_by_asm(const double *__restrict__ v, double *__restrict__ r, int n)
{
    __shared__ double part[TILE];
    const int end = n - lane_of_asm();
    double s = 0.0;
    for (int i = 0; i < end; i += TILE) {
        part[threadIdx.x] = v[i + threadIdx.x];
        __syncthreads();
        s += part[threadIdx.x] * part[TILE - 1 - threadIdx.x];
        __syncthreads();
    }
    r[threadIdx.x] = s;
}

// Every thread draws a ticket of its own.
__global__ void by_ticket(const double *__restrict__ v, double *__restrict__ r, int *next, int n)
{
    __shared__ double part[TILE];
    const int tiles = n / TILE - atomicAdd(next, 1);
    double s = 0.0;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = v[t * TILE + threadIdx.x];
        __syncthreads();
        s += part[threadIdx.x] * part[TILE - 1 - threadIdx.x];
        __syncthreads();
    }
    r[threadIdx.x] = s;
}

// One thread steps farther than the others.
__global__ void by_step(const double *__restrict__ v, double *__restrict__ r, int n)
{
    __shared__ double part[TILE];
    double s = 0.0;
    for (int i = 0; i < n; i += TILE + (threadIdx.x == 0)) {
        part[threadIdx.x] = v[i + threadIdx.x];
        __syncthreads();
        s += part[threadIdx.x] * part[TILE - 1 - threadIdx.x];
        __syncthreads();
    }
    r[threadIdx.x] = s;
}

// The device function's callers give the length: a row's own for each thread.
__device__ double walk(const double *__restrict__ v, int n)
{
    __shared__ double part[TILE];
    double s = 0.0;
    for (int i = 0; i < n; i += TILE) {
        part[threadIdx.x] = v[i + threadIdx.x];
        __syncthreads();
        s += part[threadIdx.x] * part[TILE - 1 - threadIdx.x];
        __syncthreads();
    }
    return s;
}

__global__ void by_argument(const double *__restrict__ v, const int *__restrict__ len, double *__restrict__ r)
{
    r[threadIdx.x] = walk(v, len[threadIdx.x]);
}
