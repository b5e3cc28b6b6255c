// Names for the cells of the tiles, defined where the tiles are declared.
template <int BLOCK>
__global__ void matmul(float *C, const float *A, const float *B, int wA, int wB)
{
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int first = wA * BLOCK * blockIdx.y, last = first + wA - 1;
    float sum = 0;
    for (int a = first, b = BLOCK * blockIdx.x; a <= last; a += BLOCK, b += BLOCK * wB) {
        __shared__ float As[BLOCK][BLOCK];
        __shared__ float Bs[BLOCK][BLOCK];
#define AS(i, j) As[i][j]
#define BS(i, j) Bs[i][j]
        AS(ty, tx) = A[a + wA * ty + tx];
        BS(ty, tx) = B[b + wB * ty + tx];
        __syncthreads();
        for (int k = 0; k < BLOCK; ++k)
            sum += AS(ty, k) * BS(k, tx);
        __syncthreads();
    }
    C[wB * (BLOCK * blockIdx.y + ty) + BLOCK * blockIdx.x + tx] = sum;
}
template __global__ void matmul<16>(float *, const float *, const float *, int, int);
