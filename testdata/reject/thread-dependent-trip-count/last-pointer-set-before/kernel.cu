// The pointer moves on by the thread's own number behind the one that says where it
// ends: threads wait at different barriers.
__global__ void row_sums(const float *__restrict__ b, int ld, float *__restrict__ c, int n)
{
    __shared__ float bs[64];
    const int t = threadIdx.x;
    b += t * ld;
    const float *last = b + n;
    b += t;
    float sum = 0;
    do {
        bs[t] = b[0];
        __syncthreads();
        for (int i = 0; i < 64; i++)
            sum += bs[i] * (t + i);
        b += 16;
        __syncthreads();
    } while (b < last);
    c[t] = sum;
}
