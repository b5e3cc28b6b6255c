template <int W>
__global__ void scatter_back(float *__restrict__ grid, const int *__restrict__ to, int tiles)
{
    __shared__ float cell[W];
    const int t = threadIdx.x;
    for (int k = 0; k < tiles; ++k) {
        cell[t] = grid[k * W + t];
        __syncthreads();
        atomicAdd(&grid[to[k * W + t]], 0.25f * cell[W - 1 - t]);
        __syncthreads();
    }
}

template __global__ void scatter_back<128>(float *, const int *, int);
