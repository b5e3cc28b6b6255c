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
    __shared__ float s[64];
    const int tx = threadIdx.x;
    int t = 0, now = 0, next = 32, last = n;
    float sum = 0.f;
    while (t < n) {
        s[tx] = a[now + tx];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j] * j;
        __syncthreads();
        now = next, next = last, last = 7;
        t = t + 1;
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
    __shared__ float s[64];
    const int tx = threadIdx.x;
    int t = 0, at = 5, other = 9;
    float sum = 0.f;
    while (t < n) {
        s[tx] = a[(at & 63) + tx];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += s[j] * j;
        __syncthreads();
        at = other * 3, other = at + 1;
        t = t + 1;
    }
    out[tx] = sum + at;
}
