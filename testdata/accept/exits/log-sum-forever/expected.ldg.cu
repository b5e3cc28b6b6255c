// pipelinify: launch log_histo_free
//   sizes  tiles=1,2,3,4,9 blocks=1,3
//   target tiles=20000 blocks=528
//   let    n = tiles * 192
//   grid   blocks
//   block  192
//   x:     in  [n] range(0.5, 4)
//   out:   out [blocks * 192]
//   n:     n
__global__ void log_histo_free(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float v_stage[2][192];
    const int t = threadIdx.x;
    float sum = 0.f;
    int pos = 0;
    // pipelinify: ldg, 2 stages, source a11b57be
    int stage = 0;
    v_stage[0][t] = x[pos + t];
    pos += 192;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    while (pos < n) {
        float v_next = x[pos + t];
        sum += __logf(v_stage[stage][(t * 5) % 192]);
        stage ^= 1;
        v_stage[stage][t] = v_next;
        pos += 192;
        __syncthreads();
    }
    sum += __logf(v_stage[stage][(t * 5) % 192]);
    out[blockIdx.x * 192 + t] = sum;
}
