// With one tile the second buffer is never stored, and read all the same.
__global__ void two_at_once(const float *in, float *out, int tiles)
{
    __shared__ float a[64], b[64];
    const int i = threadIdx.x;
    float acc = 0;
    for (int t = 0; t < tiles; t += 2) {
        a[i] = in[t * 64 + i];
        if (t + 1 < tiles)
            b[i] = in[(t + 1) * 64 + i];
        __syncthreads();
        acc += a[63 - i] * b[i ^ 1];
        __syncthreads();
    }
    out[i] = acc;
}

void run(const float *i, float *o, int n) { two_at_once<<<1, 64>>>(i, o, n); }
