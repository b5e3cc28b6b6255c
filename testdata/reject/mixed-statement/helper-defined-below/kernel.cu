// helpers-declared-ahead, changed in one place: the helper is defined behind the kernel, where
// its split forms would be declared too late.
__device__ void fill(float (*tile)[16], const float *from, int pitch, int row, int col);

__global__ void weigh(const float *__restrict__ a, const float *__restrict__ w, float *__restrict__ out, int n)
{
    __shared__ float tile[16][16];
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        fill(tile, a, n * 16, blockIdx.x * 16, k * 16);
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            sum += tile[threadIdx.y][i] * w[k * 16 + i];
        __syncthreads();
    }
    out[(blockIdx.x * 16 + threadIdx.y) * 16 + threadIdx.x] = sum;
}

__device__ void fill(float (*tile)[16], const float *from, int pitch, int row, int col)
{
    tile[threadIdx.y][threadIdx.x] = from[(row + threadIdx.y) * pitch + col + threadIdx.x];
}

// A declaration that gives a value, which the definition does not repeat.
__device__ void fill_row(float *row, const float *from, int count = 16);

__device__ void fill_row(float *row, const float *from, int count)
{
    if (threadIdx.x < count)
        row[threadIdx.x] = from[threadIdx.x];
}

__global__ void sums(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float row[16];
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        fill_row(row, a + k * 16);
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            sum += row[i ^ threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// One that is defined from outside its namespace: it is as good as its statements.
namespace tiles {
__device__ void put(float *row, const float *from);
}

__device__ void tiles::put(float *row, const float *from) { row[threadIdx.x] = from[threadIdx.x]; }

__global__ void doubled(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float row[16];
    float sum = 0.0f;
    for (int k = 0; k < n; ++k) {
        tiles::put(row, a + k * 16);
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            sum += 2.0f * row[i ^ threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
