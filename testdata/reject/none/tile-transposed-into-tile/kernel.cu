#define D 32

// The second tile is the first one, transposed.
__global__ void symmetrize(const float *__restrict__ S, float *__restrict__ out, int tiles)
{
    __shared__ float raw[D][D + 1];
    __shared__ float sym[D][D + 1];
    const int i = threadIdx.y, j = threadIdx.x;
    float acc = 0.f;
    for (int t = 0; t < tiles; ++t) {
        raw[i][j] = S[(t * D + i) * D + j];
        __syncthreads();
        sym[i][j] = 0.5f * (raw[i][j] + raw[j][i]);
        __syncthreads();
        for (int k = 0; k < D; ++k)
            acc += sym[i][k] * raw[k][j];
        __syncthreads();
    }
    out[(blockIdx.x * D + i) * D + j] = acc;
}
