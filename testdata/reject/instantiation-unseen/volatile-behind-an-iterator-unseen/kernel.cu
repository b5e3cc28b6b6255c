// No instantiation is in sight, and what the iterator leads to has no name in the text.
template <class Out>
__global__ void emit(const float *__restrict__ in, Out to, int n)
{
    __shared__ float line[64];
    for (int i = 0; i < n; ++i) {
        line[threadIdx.x] = in[i * 64 + threadIdx.x];
        __syncthreads();
        float s = 0.f;
        for (int k = 0; k < 64; ++k)
            s += line[k] * (k + threadIdx.x);
        to[i * 64 + threadIdx.x] = s;
        __syncthreads();
    }
}
