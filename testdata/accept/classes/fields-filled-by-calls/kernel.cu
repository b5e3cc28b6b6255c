// Two calls are handed one record and fill its fields: another one each, or the same
// one, in which asynchronous copies would meet.

struct Rows {
    float a[16][20];
    float b[16][20];
};

__device__ void fill_a(Rows &rows, const float *__restrict__ from)
{
    for (int i = threadIdx.x; i < 256; i += 64)
        rows.a[i % 16][i / 16] = from[i];
}

__device__ void fill_b(Rows &rows, const float *__restrict__ from)
{
    for (int i = threadIdx.x; i < 256; i += 64)
        rows.b[i % 16][i / 16] = from[i];
}

__device__ void fill_front_of_a(Rows &rows, const float *__restrict__ from)
{
    for (int i = threadIdx.x; i < 128; i += 64)
        rows.a[i % 16][i / 16] = from[i];
}

__global__ void __launch_bounds__(64)
one_field_each(const float *__restrict__ x, const float *__restrict__ y,
               float *__restrict__ sums, int tiles)
{
    __shared__ Rows rows;
    const int column = threadIdx.x % 16;
    float sum = 0;
    for (int t = 0; t < tiles; t++) {
        fill_a(rows, x + t * 256);
        fill_b(rows, y + t * 256);
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += rows.a[i][column] * rows.b[column][i];
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(64)
one_field_twice(const float *__restrict__ x, const float *__restrict__ y,
                float *__restrict__ sums, int tiles)
{
    __shared__ Rows rows;
    const int column = threadIdx.x % 16;
    float sum = 0;
    for (int t = 0; t < tiles; t++) {
        fill_a(rows, x + t * 256);
        fill_front_of_a(rows, y + t * 256);
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += rows.a[i][column];
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

// pipelinify: launch one_field_each
//   sizes    tiles=0,1,2,3,4,9
//   target   tiles=4096
//   block    64
//   x:       in  [tiles * 256]
//   y:       in  [tiles * 256]
//   sums:    out [64]
//   tiles:   tiles
// pipelinify: launch one_field_twice
//   sizes    tiles=0,1,2,3,9
//   block    64
//   x:       in  [tiles * 256]
//   y:       in  [tiles * 256]
//   sums:    out [64]
//   tiles:   tiles
