// One statement hands values on from name to name: each is made of the next, and the
// last of the first.

// pipelinify: launch handed_on
//   sizes n=0,1,2,3,6
//   block 64
//   a:    in [n * 64 + 96] random
//   out:  out [64]
//   n:    n
__global__ void handed_on(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s_stage[2][64];
    const int tx = threadIdx.x;
    int t = 0, now = 0, next = 32, last = n;
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source f6cce580
    if (t < n) {
        int stage = 0;
        s_stage[0][tx] = a[now + tx];
        now = next, next = last, last = 7;
        t = t + 1;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (t < n) {
            float s_next = a[now + tx];
            for (int j = 0; j < 64; ++j)
                sum += s_stage[stage][j] * j;
            stage ^= 1;
            s_stage[stage][tx] = s_next;
            now = next, next = last, last = 7;
            t = t + 1;
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][j] * j;
    }
    out[tx] = sum + last;
}

// pipelinify: launch in_turn
//   sizes n=0,1,2,3,6
//   block 64
//   a:    in [128] random
//   out:  out [64]
//   n:    n
__global__ void in_turn(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s_stage[2][64];
    const int tx = threadIdx.x;
    int t = 0, at = 5, other = 9;
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source a5bca44e
    if (t < n) {
        int stage = 0;
        s_stage[0][tx] = a[(at & 63) + tx];
        at = other * 3, other = at + 1;
        t = t + 1;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (t < n) {
            float s_next = a[(at & 63) + tx];
            for (int j = 0; j < 64; ++j)
                sum += s_stage[stage][j] * j;
            stage ^= 1;
            s_stage[stage][tx] = s_next;
            at = other * 3, other = at + 1;
            t = t + 1;
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            sum += s_stage[stage][j] * j;
    }
    out[tx] = sum + at;
}
