// The block that a tile is made of is known to the function by a record's pointer, too.
struct St { float a[64]; };
struct View { float *p; };
__device__ float run(St &st, const View &v, const float *__restrict__ x, int n)
{
    float sum = 0;
    for (int k = 0; k < n; k += 64) {
        st.a[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i) sum += v.p[i] * i;
        v.p[threadIdx.x] = sum;
        __syncthreads();
    }
    return sum;
}
__global__ void k(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float raw[];
    St &st = *reinterpret_cast<St *>(raw);
    View v = {raw};
    out[threadIdx.x] = run(st, v, x, n);
}
