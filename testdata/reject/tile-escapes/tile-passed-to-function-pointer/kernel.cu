typedef float (*reducer)(float *tile, int count, int who);

__global__ void reduce_with(reducer fn, const float *__restrict__ x, float *__restrict__ y,
                            int tiles)
{
    __shared__ float chunk[256];
    float acc = 0.f;
    for (int t = 0; t < tiles; ++t) {
        chunk[threadIdx.x] = x[t * 256 + threadIdx.x];
        __syncthreads();
        acc += fn(chunk, 256, threadIdx.x);
        __syncthreads();
    }
    y[blockIdx.x * 256 + threadIdx.x] = acc;
}
