// cuda_fp16.h is missing, so the staging value has no type.
template <int TILE>
__global__ void widen_sum(const unsigned short *__restrict__ src,
                          float *__restrict__ dst, int tiles)
{
    __shared__ float stage[TILE];
    const int lane = threadIdx.x;
    float total = 0.0f;
    for (int t = 0; t < tiles; t++) {
        __half raw = reinterpret_cast<const __half *>(src)[t * TILE + lane];
        stage[lane] = __half2float(raw);
        __syncthreads();
        for (int j = 0; j < TILE; j++)
            total += stage[(lane + j) % TILE] * (j + 1);
        __syncthreads();
    }
    dst[lane] = total;
}
template __global__ void widen_sum<128>(const unsigned short *, float *, int);
