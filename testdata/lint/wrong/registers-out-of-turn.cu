// Registers three tiles deep that are handed on out of turn: the second tile is lost.
__global__ void __launch_bounds__(32) deep(const float4 *in, float *out, int n)
{
    __shared__ float4 tile[32];
    const int t = threadIdx.x;
    float4 r[3];
#pragma unroll
    for (int i = 0; i < 3; ++i)
        if (i < n) r[i] = in[i * 32 + t];
    float s = 0;
    for (int i = 0; i < n; ++i) {
        tile[t] = r[0];
        __syncthreads();
        r[0] = r[2];
        r[1] = r[2];
        if (i + 3 < n) r[2] = in[(i + 3) * 32 + t];
        for (int k = 0; k < 32; ++k) s += tile[k].x * tile[(k + t) % 32].y;
        __syncthreads();
    }
    out[t] = s;
}
