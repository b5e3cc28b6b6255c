#include <cuda_runtime.h>

/* The texture functions with a pointer store through it: into the tile itself,
 * by a call that is not cut in two; or into a variable, which the tile needs. */
__global__ void rows_direct(cudaTextureObject_t tex, float *out, int rows)
{
    __shared__ float line[64];
    float sum = 0.f;
    for (int r = 0; r < rows; ++r) {
        tex2D(&line[threadIdx.x], tex, threadIdx.x + 0.5f, r + 0.5f);
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += line[k] * (float)(k ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void rows_by_value(cudaTextureObject_t tex,
                              cudaSurfaceObject_t mask, float *out, int rows)
{
    __shared__ float line[64];
    __shared__ float keep[64];
    float sum = 0.f;
    for (int r = 0; r < rows; ++r) {
        float v, m;
        tex2D(&v, tex, threadIdx.x + 0.5f, r + 0.5f);
        surf2Dread(&m, mask, threadIdx.x * 4, r);
        line[threadIdx.x] = v;
        keep[threadIdx.x] = m;
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += line[k] * keep[k ^ threadIdx.x];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
