// The pointer steps from row to row beside the counter of the copy loop, and is set back to the next
// columns when the tile has been summed up.
#define ROWS 8
#define COLS 32

// pipelinify: launch column_products
//   sizes   ld=32,96,160 n=0,32,96
//   sizes   ld=256 n=128,256
//   target  ld=8192 n=8192
//   block   32
//   x:      in  [8 * ld]
//   out:    out [32]
//   ld:     ld
//   n:      n
__global__ void column_products(const float *__restrict__ x, float *__restrict__ out, int ld, int n)
{
    __shared__ float s[ROWS][COLS];
    const int t = threadIdx.x;
    const float *p = x + t;
    float sum = 0.0f;

    for (int i = 0; i < n && i < ld; i += COLS) {
        for (int r = 0; r < ROWS; ++r, p += ld)
            s[r][t] = *p;
        __syncthreads();
        for (int r = 0; r + 1 < ROWS; ++r)
            sum += s[r][COLS - 1 - t] * s[r + 1][t];
        p -= ROWS * ld - COLS;
        __syncthreads();
    }
    out[t] = sum;
}
