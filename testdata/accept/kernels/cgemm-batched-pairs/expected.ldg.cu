#include <cuComplex.h>
// strided-batched cgemm, k known to be positive
#define NB 16
// pipelinify: launch cgemm_batched
//   sizes  m=16,20 n=16 k=1,16,17,40,64,80,96 batch=1,2,3
//   target m=256 n=256 k=256 batch=64
//   grid   (m + 15) / 16, (n + 15) / 16, 2
//   block  16, 16
//   a: in [m * k * batch]
//   b: in [k * n * batch]
//   c: out [m * n * batch]
//   m: m
//   n: n
//   k: k
//   batch: batch
__global__ void cgemm_batched(const cuFloatComplex *a, const cuFloatComplex *b,
                              cuFloatComplex *__restrict__ c, int m, int n, int k, int batch)
{
    __shared__ cuFloatComplex sa_stage[2][NB][NB], sb_stage[2][NB][NB + 1];
    const int i = blockIdx.x * NB + threadIdx.y, j = blockIdx.y * NB + threadIdx.x;

    for (int z = blockIdx.z; z < batch; z += gridDim.z) {
        const cuFloatComplex *pa = a + (long)z * m * k + (long)i * k + threadIdx.x;
        const cuFloatComplex *pb = b + (long)z * k * n + (long)threadIdx.y * n + j;
        cuFloatComplex sum = make_cuFloatComplex(0.f, 0.f);
        int left = k;
        // pipelinify: ldg, 2 stages, source cdd15e93
        int stage = 0;
        sa_stage[0][threadIdx.y][threadIdx.x] = i < m && (int)threadIdx.x < left ? *pa : make_cuFloatComplex(0.f, 0.f);
        sb_stage[0][threadIdx.y][threadIdx.x] = j < n && (int)threadIdx.y < left ? *pb : make_cuFloatComplex(0.f, 0.f);
        pa += NB;
        pb += NB * n;
        left -= NB;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (left > 0) {
            cuFloatComplex sa_next = i < m && (int)threadIdx.x < left ? *pa : make_cuFloatComplex(0.f, 0.f);
            cuFloatComplex sb_next = j < n && (int)threadIdx.y < left ? *pb : make_cuFloatComplex(0.f, 0.f);
            #pragma unroll
            for (int l = 0; l < NB; l++)
                sum = cuCfmaf(sa_stage[stage][threadIdx.y][l], sb_stage[stage][l][threadIdx.x], sum);
            stage ^= 1;
            sa_stage[stage][threadIdx.y][threadIdx.x] = sa_next;
            sb_stage[stage][threadIdx.y][threadIdx.x] = sb_next;
            pa += NB;
            pb += NB * n;
            left -= NB;
            __syncthreads();
        }
        #pragma unroll
        for (int l = 0; l < NB; l++)
            sum = cuCfmaf(sa_stage[stage][threadIdx.y][l], sb_stage[stage][l][threadIdx.x], sum);
        __syncthreads();
        if (i < m && j < n) c[((long)z * m + i) * n + j] = sum;
    }
}
