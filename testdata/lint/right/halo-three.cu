// A moving window over three planes in shared memory, one more is loaded to a register.
__global__ void window(const float *p, float *q, int planes)
{
    __shared__ float w[3][34];
    const int t = threadIdx.x;
    float next = 0;
    if (planes < 2)
        return;
    w[0][t] = p[t];
    w[1][t] = p[34 + t];
    int a = 0, b = 1, c = 2;
    if (planes > 2)
        next = p[68 + t];
    for (int z = 1; z < planes - 1; ++z) {
        w[c][t] = next;
        if (z + 2 < planes)
            next = p[(z + 2) * 34 + t];
        __syncthreads();
        if (t > 0 && t < 33)
            q[z * 34 + t] = w[a][t] + w[c][t] + w[b][t - 1] + w[b][t + 1] - 4 * w[b][t];
        __syncthreads();
        const int x = a;
        a = b;
        b = c;
        c = x;
    }
}
void run(const float *p, float *q, int n) { window<<<1, 34>>>(p, q, n); }
