// Placement new stores, and may run a constructor.
inline __device__ void *operator new(size_t, void *p) noexcept { return p; }
struct Cell {
    float v;
    __device__ Cell(float *log, float x) : v(x) { *log = x; }
};

__global__ void smooth0(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        new (&from[(i + 1) * 64 + t]) float(sum);
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth1(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    __shared__ float scale[64];
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        new (&scale[t]) float(i);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        sum += scale[t ^ 3];
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth2(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    Cell cell(to, 0.f);
    sum += cell.v;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        new (&cell) Cell(&from[(i + 1) * 64 + t], sum);
        __syncthreads();
    }
    to[t] = sum;
}
