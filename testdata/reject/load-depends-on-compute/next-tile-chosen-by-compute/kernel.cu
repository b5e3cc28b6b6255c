#define TB 64

// Greedy walk over code book tiles: the best match says which tile comes next.
__global__ void greedy_walk(const float *__restrict__ book, const int *__restrict__ jump,
                            const float *__restrict__ q, int *__restrict__ path, int steps)
{
    __shared__ float tile[TB];
    int at = 0;
    const float mine = q[blockIdx.x];

    for (int s = 0; s < steps; ++s) {
        tile[threadIdx.x] = book[at * TB + threadIdx.x];
        __syncthreads();
        int arg = 0;
        float lo = fabsf(tile[0] - mine);
        for (int j = 1; j < TB; ++j) {
            const float d = fabsf(tile[j] - mine);
            if (d < lo) { lo = d; arg = j; }
        }
        at = arg;
        __syncthreads();
    }
    path[blockIdx.x * TB + threadIdx.x] = jump[at];
}
