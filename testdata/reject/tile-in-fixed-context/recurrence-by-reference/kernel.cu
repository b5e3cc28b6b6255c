// The cursor of the loads moves under another name, in the compute part.
__global__ void by_reference(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    float sum = 0.0f;
    int offset = 0;
    int &skip = offset;
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.x] = x[i + offset + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += tile[k];
        if (sum > 1.0f)
            ++skip;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// A function moves it, by what the tile holds.
__device__ void move_on(const float *&row, float v)
{
    row += v > 0.0f ? 64 : 128;
}

__global__ void by_function(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    const float *row = x;
    float sum = 0.0f;
    for (int i = 0; i < n; i += 64) {
        tile[threadIdx.x] = row[threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += tile[k];
        move_on(row, tile[0]);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// The end of the range lies in a record that the compute part shortens.
struct Range {
    const float *at, *end;
};

__global__ void by_member(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    Range r = {x, x + n};
    float sum = 0.0f;
    for (; r.at < r.end; r.at += 64) {
        tile[threadIdx.x] = r.at[threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += tile[k];
        if (tile[0] > 0.5f)
            r.end -= 64;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
