// y = A x, one relaxation after the other, on the same vector.
#define N_TILE 64

__global__ void gauss_seidel_like(const float *__restrict__ A, float *x, int tiles)
{
    __shared__ float xs[N_TILE];
    const int i = threadIdx.x;
    for (int t = 0; t < tiles; ++t) {
        xs[i] = x[t * N_TILE + i];
        __syncthreads();
        float s = 0.f;
        for (int j = 0; j < N_TILE; ++j)
            s += A[(t * N_TILE + i) * N_TILE + j] * xs[j];
        x[((t + 1) % tiles) * N_TILE + i] += s;
        __syncthreads();
    }
}
