// A heat step, slab by slab: each tile is a slab with its two neighbours, and what a slab gives is written at once.
#include <cuda_runtime.h>

enum { W = 32, H = 8 };

// pipelinify: launch heat
//   sizes  slabs=0,1,2,5 pitch=34 fields=2
//   sizes  slabs=9 pitch=40 fields=2
//   target slabs=128 pitch=34 fields=1056
//   grid   fields
//   block  32, 8
//   in:    in  [fields * slabs * 10 * pitch + 1]
//   out:   out [fields * slabs * 256 + 1]
//   slabs: slabs
//   pitch: pitch
__global__ void heat(const float *__restrict__ in, float *__restrict__ out, int slabs, int pitch)
{
    __shared__ float t[H + 2][W + 2];
    const float *from = in + (size_t)blockIdx.x * slabs * (H + 2) * pitch;
    float *to = out + (size_t)blockIdx.x * slabs * (H * W);
    int left = slabs;
    while (left > 0) {
        for (int y = threadIdx.y; y < H + 2; y += H)
            for (int x = threadIdx.x; x < W + 2; x += W)
                t[y][x] = from[y * pitch + x];
        __syncthreads();
        const int x = threadIdx.x + 1, y = threadIdx.y + 1;
        to[threadIdx.y * W + threadIdx.x] =
            0.6f * t[y][x] + 0.1f * (t[y - 1][x] + t[y + 1][x] + t[y][x - 1] + t[y][x + 1]);
        __syncthreads();
        from += (H + 2) * pitch;
        to += H * W;
        --left;
    }
}

void step(const float *in, float *out, int slabs, int pitch, int fields)
{
    heat<<<fields, dim3(W, H)>>>(in, out, slabs, pitch);
}
