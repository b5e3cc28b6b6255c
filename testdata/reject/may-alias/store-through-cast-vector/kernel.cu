#define V4(x) (*reinterpret_cast<float4 *>(&(x)))

// Four results a thread leave in each iteration, as one vector.
__global__ void __launch_bounds__(64)
scale_rows(float *dst, const float *src, const float *__restrict__ gain, int rows)
{
    __shared__ float g[64];
    const int t = threadIdx.x;
    for (int r = 0; r < rows; ++r) {
        g[t] = src[r * 64 + t];
        __syncthreads();
        float4 o;
        o.x = g[(t + 1) & 63] * gain[0];
        o.y = g[(t + 2) & 63] * gain[1];
        o.z = g[(t + 3) & 63] * gain[2];
        o.w = g[(t + 4) & 63] * gain[3];
        V4(dst[(r * 64 + t) * 4]) = o;
        __syncthreads();
    }
}
