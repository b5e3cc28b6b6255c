// A weight table that lives in the loop body as a mutable function-local static:
// a second copy of the text would be a second object.
__global__ void scaled_tiles(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float t[64];
    float s = 0.f;
    for (int i = 0; i < n; i += 64) {
        static __device__ float gain[64];
        t[threadIdx.x] = in[i + threadIdx.x] * (1.0f + gain[threadIdx.x]);
        __syncthreads();
        s += t[63 - threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = s;
}
