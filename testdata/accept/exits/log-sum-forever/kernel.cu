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
    __shared__ float v[192];
    const int t = threadIdx.x;
    float sum = 0.f;
    int pos = 0;
    for (;;) {
        v[t] = x[pos + t];
        __syncthreads();
        sum += __logf(v[(t * 5) % 192]);
        __syncthreads();
        pos += 192;
        if (pos >= n) break;
    }
    out[blockIdx.x * 192 + t] = sum;
}
