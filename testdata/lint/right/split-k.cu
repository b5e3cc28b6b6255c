// Each block has a part of K; the last part may be shorter.
__global__ void splitk(const float *a, const float *b, float *c, int k, int per)
{
    __shared__ float at[2][32], bt[2][32];
    const int begin = blockIdx.x * per, end = min(k, begin + per), t = threadIdx.x;
    float acc = 0;
    int buf = 0;
    if (begin < end) {
        at[0][t] = a[begin + t];
        bt[0][t] = b[begin + t];
    }
    __syncthreads();
    for (int p = begin; p < end; p += 32) {
        bool more = p + 32 < end;
        float na = 0, nb = 0;
        if (more) {
            na = a[p + 32 + t];
            nb = b[p + 32 + t];
        }
        acc += at[buf][31 - t] * bt[buf][t ^ 1];
        buf ^= 1;
        if (more) {
            at[buf][t] = na;
            bt[buf][t] = nb;
        }
        __syncthreads();
    }
    atomicAdd(c, acc);
}

// pipelinify: launch splitk
//   sizes  K=0,32,64,96,160,320
//   target K=65536
//   grid   1
//   block  32
//   a:     in [K]
//   b:     in [K]
//   c:     inout [1]
//   k:     K
//   per:   1024
