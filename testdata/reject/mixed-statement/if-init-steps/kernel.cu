// The row counter moves on in the guard's own declaration, and again behind
// compute, which asks it.
__global__ void take_rows(const float *__restrict__ a, float *__restrict__ c, int n, int wanted)
{
    __shared__ float s[32];
    int next = threadIdx.x;
    float acc = 0.f;

    for (int t = 0; t < n; t += 32) {
        if (const int row = next++; row < wanted)
            s[threadIdx.x] = a[t + threadIdx.x];
        else
            s[threadIdx.x] = 0.f;
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            acc += s[i] * next;
        next += 2;
        __syncthreads();
    }
    c[threadIdx.x] = acc;
}
