// Samples are relaxed in two passes. The second one loads only the coarse half of each
// tile and goes on with what the first has left in the rest: where the block has left the
// first pass by its vote, that is of the last tile that it used, not of the one behind it.
#define CELLS 64

__global__ void relax(const float *__restrict__ samples, float *__restrict__ levels, int n,
                      float most)
{
    __shared__ float cell[CELLS];
    const int lane = threadIdx.x;
    float level = 0.f;
    for (int pass = 0; pass < 2; ++pass) {
        for (int at = 0; at < n; at += CELLS) {
            if (__syncthreads_and(level > most))
                break;
            if (pass == 0 || lane < CELLS / 2)
                cell[lane] = samples[at + lane];
            __syncthreads();
            for (int i = 0; i < CELLS; ++i)
                level += cell[i] * (float)((i ^ lane) & 7);
        }
        level *= 0.01f;
    }
    levels[blockIdx.x * CELLS + lane] = level;
}

// Calls of a function are such passes, too.
__device__ float relaxed(const float *__restrict__ samples, int n, float most, bool coarse,
                         float (&cell)[CELLS], float level)
{
    for (int at = 0; at < n; at += CELLS) {
        const int high = __syncthreads_count(level > most);
        if (high == CELLS)
            break;
        if (!coarse || threadIdx.x % 2 == 0)
            cell[threadIdx.x] = samples[at + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < CELLS; ++i)
            level += cell[i] * (float)((i ^ threadIdx.x) & 7);
    }
    return level;
}

__global__ void relax_by_calls(const float *__restrict__ samples, float *__restrict__ levels,
                               int n, float most)
{
    __shared__ float cell[CELLS];
    float level = relaxed(samples, n, most, false, cell, 0.f);
    level = relaxed(samples, n, most, true, cell, level * 0.01f);
    levels[blockIdx.x * CELLS + threadIdx.x] = level;
}
