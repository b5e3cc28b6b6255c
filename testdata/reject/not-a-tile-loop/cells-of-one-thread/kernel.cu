// Shared memory that threads, or warps, use by themselves is no tile of the block; a race is only where
// another's cell is read. Last of all comes what does race.
#include <cuda_runtime.h>

// Each thread keeps a sum in a cell of its own.
__global__ void kept_sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float kept[128];
    kept[threadIdx.x] = 0.0f;
    for (int i = threadIdx.x; i < n; i += 128)
        kept[threadIdx.x] += x[i] * x[i];
    __syncthreads();
    y[threadIdx.x] = kept[127 - threadIdx.x];
}

// One cell a quantity, and stored before it is read back.
__global__ void kept_pairs(const float2 *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float kept[2][64];
    const int me = threadIdx.x;
    float most = 0.0f;
    for (int i = 0; i < n; ++i) {
        const float2 pair = x[i * 64 + me];
        kept[0][me] = pair.x;
        kept[1][me] = pair.y;
        most = fmaxf(most, kept[0][me] - kept[1][me]);
    }
    y[me] = most;
}

// A row of the array for each warp, and what orders the warp is a collective.
__global__ void voted(const int *__restrict__ x, int *__restrict__ y, int n)
{
    __shared__ int row[4][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int found = 0;
    for (int i = 0; i < n; ++i) {
        row[warp][lane] = x[i * 128 + threadIdx.x];
        if (__any_sync(0xffffffffu, row[warp][31 - lane] == i))
            found += row[warp][lane ^ 1];
    }
    y[threadIdx.x] = found;
}

// The same in one dimension.
__global__ void shifted(const float *__restrict__ x, float *__restrict__ y, int n)
{
    extern __shared__ float flat[];
    const int warp = threadIdx.x >> 5, lane = threadIdx.x & 31;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        flat[warp * 32 + lane] = x[i * blockDim.x + threadIdx.x];
        __syncwarp();
        sum += flat[warp * 32 + (lane + 1) % 32];
        __syncwarp();
    }
    y[threadIdx.x] = sum;
}

// By a pointer to the warp's own part.
__global__ void pointed(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float all[256];
    float *own = all + threadIdx.y * 32;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        own[threadIdx.x] = x[i * 32 + threadIdx.x];
        __syncwarp();
        sum += own[31 - threadIdx.x];
        __syncwarp();
    }
    y[threadIdx.y * 32 + threadIdx.x] = sum;
}

// With barriers: where the tile is filled, each thread reads what it has just stored.
__global__ void read_back(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.x] = x[i + threadIdx.x];
        sum += tile[threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += tile[k] * (float)k;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// A race, of the whole array.
__global__ void unordered(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[256];
    float sum = 0.0f;
    for (int i = 0; i < n; i += 256) {
        tile[threadIdx.x] = x[i + threadIdx.x];
        for (int k = 0; k < 256; ++k)
            sum += tile[k];
    }
    y[threadIdx.x] = sum;
}

// One thread stores for all.
__global__ void told(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float word[1];
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        if (threadIdx.x == 0)
            word[0] = x[i];
        sum += word[0];
    }
    y[threadIdx.x] = sum;
}

// Columns are shared by the warps, which wait for themselves alone.
__global__ void __launch_bounds__(256) columns(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[8][32];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        tile[warp][lane] = x[i * 256 + threadIdx.x];
        __syncwarp();
        for (int k = 0; k < 8; ++k)
            sum += tile[k][lane];
        __syncwarp();
    }
    y[threadIdx.x] = sum;
}
