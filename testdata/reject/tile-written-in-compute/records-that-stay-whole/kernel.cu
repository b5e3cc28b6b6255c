// Records whose members are no objects of their own.
struct Overlaid {
    union {
        float tile[16][64];
        float sums[64];
    };
};

struct Plain {
    float tile[16][64];
    float sums[64];
};

__device__ void keep(Plain &m, float value) { m.sums[threadIdx.x] = value; }

// The scratch lies in the tile.
__global__ void overlaid(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ Overlaid m;
    const int tx = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < 16; ++i)
            m.tile[i][tx] = x[k * 1024 + i * 64 + tx];
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            sum += m.tile[i][tx ^ 1];
        __syncthreads();
        m.sums[tx] = sum;
        __syncthreads();
        sum += m.sums[tx ^ 3];
        __syncthreads();
    }
    out[tx] = sum;
}

// A function is handed all of it.
__global__ void handed_on(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ Plain m;
    const int tx = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < 16; ++i)
            m.tile[i][tx] = x[k * 1024 + i * 64 + tx];
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            sum += m.tile[i][tx ^ 1];
        keep(m, sum);
        __syncthreads();
        sum += m.sums[tx ^ 3];
        __syncthreads();
    }
    out[tx] = sum;
}

// A pointer leads to it.
__global__ void pointed_to(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ Plain m;
    const int tx = threadIdx.x;
    Plain *p = &m;
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < 16; ++i)
            m.tile[i][tx] = x[k * 1024 + i * 64 + tx];
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            sum += m.tile[i][tx ^ 1];
        p->sums[tx] = sum;
        __syncthreads();
        sum += p->sums[tx ^ 3];
        __syncthreads();
    }
    out[tx] = sum;
}

// Its size is asked for, which members do not say.
__global__ void measured(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ Plain m;
    const int tx = threadIdx.x;
    float sum = 0.f;
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < 16; ++i)
            m.tile[i][tx] = x[k * 1024 + i * 64 + tx];
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            sum += m.tile[i][tx ^ 1];
        m.sums[tx] = sum;
        __syncthreads();
        sum += m.sums[(tx ^ 3) % sizeof(m)];
        __syncthreads();
    }
    out[tx] = sum;
}
