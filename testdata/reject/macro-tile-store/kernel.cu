#define T 16
#define IDX(r, c, ld) ((r) * (ld) + (c))
#define STAGE_TILES(kk)                                   \
    do {                                                  \
        tileA[ly][lx] = A[IDX(gy, (kk) + lx, width)];     \
        tileB[ly][lx] = B[IDX((kk) + ly, gx, width)];     \
    } while (0)

__global__ void square_mm(float *__restrict__ C, const float *__restrict__ A,
                          const float *__restrict__ B, int width)
{
    __shared__ float tileA[T][T], tileB[T][T];
    int lx = threadIdx.x, ly = threadIdx.y;
    int gx = blockIdx.x * T + lx, gy = blockIdx.y * T + ly;
    float v = 0;
    for (int kk = 0; kk < width; kk += T) {
        STAGE_TILES(kk);
        __syncthreads();
        for (int i = 0; i < T; i++)
            v += tileA[ly][i] * tileB[i][lx];
        __syncthreads();
    }
    C[IDX(gy, gx, width)] = v;
}
