// Distances in the plane to a list of points. Both tiles are zeroed before the
// loop, cell by cell as the loop fills them: nothing reads a zero.
#define PTS 64
#define THREADS 32
// pipelinify: launch nearest_point
//   sizes n=0,1,63,64,65,200,400
//   target n=131072
//   grid 2
//   block 32
//   xy: in [2 * n]
//   w: in [n + 32]
//   at: in [128]
//   out: out [64]
//   n: n
// pipelinify: launch nearest_point
//   sizes n=0,1,100
//   grid 2
//   block 32
//   xy: in [2 * n]
//   w: in [n + 32]
//   at: in [128] range(0, 2e15)
//   out: out [64]
//   n: n
__global__ void __launch_bounds__(THREADS) nearest_point(const float *__restrict__ xy,
                                                         const float *__restrict__ w,
                                                         const float *__restrict__ at,
                                                         float *__restrict__ out, int n)
{
    __shared__ float p_stage[2][2 * PTS];
    __shared__ float first_stage[2][THREADS];
    const int tid = threadIdx.x;
    const float x = at[blockIdx.x * 64 + tid], y = at[blockIdx.x * 64 + 32 + tid];

    for (int i = tid; i < 2 * PTS; i += THREADS)
        p_stage[0][i] = 0.0f;
    first_stage[0][tid] = 0.0f;
    __syncthreads();

    float best = 1e30f;
    // pipelinify: ldg, 2 stages, source 7c79ae77
    int k = 0, stage = 0;
    if (k < n) {
        for (int c = tid; c < 2 * PTS; c += THREADS)
            p_stage[0][c] = 2 * k + c < 2 * n ? xy[2 * k + c] : 1e15f;
        if (k + tid < n)
            first_stage[0][tid] = w[k + tid];
        else
            first_stage[0][tid] = 1.0f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += PTS; k < n; k += PTS) {
            float p_next[2 * PTS / THREADS];
            float first_next;
            #pragma unroll
            for (int slot = 0; slot < 2 * PTS / THREADS; ++slot) {
                int c = tid + slot * THREADS;
                p_next[slot] = 2 * k + c < 2 * n ? xy[2 * k + c] : 1e15f;
            }
            if (k + tid < n)
                first_next = w[k + tid];
            else
                first_next = 1.0f;
            for (int i = 0; i < PTS; ++i) {
                const float dx = p_stage[stage][2 * i] - x, dy = p_stage[stage][2 * i + 1] - y;
                best = fminf(best, (dx * dx + dy * dy) * first_stage[stage][i % THREADS]);
            }
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 2 * PTS / THREADS; ++slot) {
                int c = tid + slot * THREADS;
                p_stage[stage][c] = p_next[slot];
            }
            first_stage[stage][tid] = first_next;
            __syncthreads();
        }
        for (int i = 0; i < PTS; ++i) {
            const float dx = p_stage[stage][2 * i] - x, dy = p_stage[stage][2 * i + 1] - y;
            best = fminf(best, (dx * dx + dy * dy) * first_stage[stage][i % THREADS]);
        }
    }
    out[blockIdx.x * THREADS + tid] = best;
}
