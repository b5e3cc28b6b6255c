// An endless loop that is left in the middle; the buffers are an array of pointers.
__global__ void __launch_bounds__(64) endless(const float *in, float *out, unsigned n)
{
    __shared__ float lo[64], hi[64];
    float *bufs[2] = {lo, hi};
    unsigned done = 0;
    float acc = 0;
    if (n == 0) { out[threadIdx.x] = 0; return; }
    bufs[0][threadIdx.x] = in[threadIdx.x];
    while (true) {
        __syncthreads();
        float *now = bufs[done & 1u];
        ++done;
        if (done < n)
            bufs[done & 1u][threadIdx.x] = in[done * 64u + threadIdx.x];
        acc += now[threadIdx.x ^ 5u];
        if (done == n)
            break;
    }
    out[threadIdx.x] = acc;
}
