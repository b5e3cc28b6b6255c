// Tiles come out of a macro that also names the padding rule.
#define SHARED_TILE(type, name, rows, cols) \
    __shared__ type name[rows][(cols) + ((cols) % 32 == 0 ? 1 : 0)]

constexpr int DIM = 32;

__global__ void transpose_accumulate(float *__restrict__ out,
                                     const float *__restrict__ in,
                                     int planes, int pitch)
{
    SHARED_TILE(float, block, DIM, DIM);

    const int x = blockIdx.x * DIM + threadIdx.x;
    const int y = blockIdx.y * DIM + threadIdx.y;
    float sum = 0.0f;

    for (int p = 0; p < planes; p++)
    {
        block[threadIdx.y][threadIdx.x] = in[(p * pitch + y) * pitch + x];
        __syncthreads();
        sum += block[threadIdx.x][threadIdx.y];
        __syncthreads();
    }

    out[(blockIdx.x * DIM + threadIdx.y) * pitch + blockIdx.y * DIM + threadIdx.x] = sum;
}
