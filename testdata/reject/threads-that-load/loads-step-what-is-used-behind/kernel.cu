// Where the loads stand at the end is used behind the loop, and no thread that computes knows it.
__global__ void walks(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float tile[64];
    const float *p = x;
    float sum = 0;
    // tiles
    for (int i = 0; i < tiles; ++i) {
        tile[threadIdx.x] = p[threadIdx.x];
        p += 64;
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum * p[threadIdx.x];
}

void run(const float *x, float *out, int tiles) { walks<<<4, 64>>>(x, out, tiles); }
