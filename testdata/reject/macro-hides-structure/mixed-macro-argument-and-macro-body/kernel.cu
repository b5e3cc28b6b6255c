#define SQ(x)        ((x) * (x))
#define AT(m, r, c)  m[(r) * pitch + (c)]
#ifndef FILL
#define FILL(tile, m, r, c) tile[ly][lx] = AT(m, r, c)
#endif

// Macros around the operands: the assignment stands in the text.
__global__ void distance_expr(const float *__restrict__ P, const float *__restrict__ Q,
                              float *__restrict__ D, int pitch)
{
    __shared__ float p[16][16];
    __shared__ float q[16][16];
    const int lx = threadIdx.x, ly = threadIdx.y;
    float d = 0.f;
    for (int k = 0; k < pitch; k += 16) {
        p[ly][lx] = AT(P, blockIdx.y * 16 + ly, k + lx);
        q[ly][lx] = AT(Q, blockIdx.x * 16 + ly, k + lx);
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            d += SQ(p[ly][i] - q[lx][i]);
        __syncthreads();
    }
    AT(D, blockIdx.y * 16 + ly, blockIdx.x * 16 + lx) = sqrtf(d);
}

// The assignment itself comes out of a macro, which another build may define
// otherwise.
__global__ void distance_fill(const float *__restrict__ P, const float *__restrict__ Q,
                              float *__restrict__ D, int pitch)
{
    __shared__ float p[16][16];
    __shared__ float q[16][16];
    const int lx = threadIdx.x, ly = threadIdx.y;
    float d = 0.f;
    for (int k = 0; k < pitch; k += 16) {
        FILL(p, P, blockIdx.y * 16 + ly, k + lx);
        FILL(q, Q, blockIdx.x * 16 + ly, k + lx);
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            d += SQ(p[ly][i] - q[lx][i]);
        __syncthreads();
    }
    AT(D, blockIdx.y * 16 + ly, blockIdx.x * 16 + lx) = sqrtf(d);
}
