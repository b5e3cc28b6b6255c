#define LANES 64

// A relaxation over the rows of `grid`: each thread takes its left neighbour's
// state of the step before, then a tile of coefficients, then leaves its own.
__global__ void relax_rows(const float *__restrict__ coefficients, float *state, int steps)
{
    __shared__ float c[LANES];
    float own = state[blockIdx.x * LANES + threadIdx.x];
    int k = 0;
    while (k < steps * LANES) {
        c[threadIdx.x] = coefficients[k + threadIdx.x];
        own = 0.5f * own + state[blockIdx.x * LANES + (threadIdx.x + LANES - 1) % LANES];
        __syncthreads();
        for (int j = 0; j < LANES; ++j)
            own += c[j];
        state[blockIdx.x * LANES + threadIdx.x] = own;
        __syncthreads();
        k += LANES;
    }
}
