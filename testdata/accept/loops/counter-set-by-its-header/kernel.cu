// The header sets a counter from outside the loop once, not in each iteration: where the
// loads have no use for it, the condition still has, and it moves on with the loads.

// pipelinify: launch walked
//   sizes n=0,1,2,3,6
//   block 64
//   a:    in [n * 64] random
//   out:  out [64]
//   n:    n
__global__ void walked(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int tx = threadIdx.x;
    const float *p = a;
    float sum = 0.f;
    int t;
    for (t = 0; t < n;) {
        s[tx] = p[tx];
        p += 64;
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j] * (j + t);
        __syncthreads();
        ++t;
    }
    out[tx] = sum + t;
}

// pipelinify: launch weighted
//   sizes n=0,1,2,3,6
//   block 64
//   a:    in [64] random
//   out:  out [64]
//   n:    n
__global__ void weighted(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[64];
    const int tx = threadIdx.x;
    float sum = 0.f;
    int t, w = n;
    for (t = 0; t < n; ++t, w ^= 3) {
        s[tx] = a[tx];
        w += 2;
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j] * j + w;
        __syncthreads();
    }
    out[tx] = sum + w + t;
}
