// What a build chooses comes to the loop by a declaration: a record, a record's member whose type a macro
// is, a name for a type that is made of a macro.
#ifdef PROGRESS
#define SEEN volatile int
#define HANDED &
struct Mark {
    volatile int tile;
};
#else
#define SEEN int
#define HANDED
struct Mark {
    int tile;
};
#endif

__global__ void marks(const float *__restrict__ from, Mark *__restrict__ mark, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        if (threadIdx.x == 0)
            mark->tile = t;
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

namespace app {
struct Progress {
    SEEN tile;
};
}

__global__ void progress(const float *__restrict__ from, app::Progress *__restrict__ at, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        if (threadIdx.x == 0)
            at->tile = t;
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

typedef int HANDED index_type;
__device__ void move(index_type row, float by) { row += by > 0.f ? 2 : 1; }

__global__ void rows(const float *__restrict__ from, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    float sum = 0.f;
    int row = 0;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[row * 64 + threadIdx.x];
        ++row;
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        move(row, part[0]);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}
