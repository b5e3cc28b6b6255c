// Complex matrix product with a struct element; A may be taken conjugated.
#include <cuda_runtime.h>

struct cplx {
    float re;
    float im;
};

__host__ __device__ inline cplx cmac(cplx s, cplx a, cplx b)
{
    s.re += a.re * b.re - a.im * b.im;
    s.im += a.re * b.im + a.im * b.re;
    return s;
}

// pipelinify: launch cgemm
//   sizes    m=16 n=16 k=0,1,7,8,9,16,24,32,40 conj=0
//   sizes    m=10,20 n=33 k=21 conj=1
//   target   m=2048 n=2048 k=2048 conj=1
//   requires m > 0 && n > 0
//   grid     (n + 15) / 16, (m + 15) / 16
//   block    16, 16
//   a:       in  [2 * m * k]
//   b:       in  [2 * k * n]
//   c:       out [2 * m * n]
//   m:       m
//   n:       n
//   k:       k
//   conj:    conj
__global__ void cgemm(const float *a, const float *b, float *c, int m, int n, int k, int conj)
{
    __shared__ cplx sa[16][8];
    __shared__ cplx sb[8][16];

    const cplx *za = (const cplx *)a;
    const cplx *zb = (const cplx *)b;
    const int tid = threadIdx.y * 16 + threadIdx.x;
    const int i = blockIdx.y * 16 + threadIdx.y;
    const int j = blockIdx.x * 16 + threadIdx.x;
    cplx s = { 0.0f, 0.0f };

    // pipelinify: ldg-single, 1 stage, source a46712c3
    int p = 0;
    if (p < k) {
        if (tid < 128) {
            const int r = tid / 8, q = tid % 8;
            const int gr = blockIdx.y * 16 + r;
            cplx v = { 0.0f, 0.0f };
            if (gr < m && p + q < k) {
                v = za[gr * k + p + q];
                if (conj)
                    v.im = -v.im;
            }
            sa[r][q] = v;
        } else {
            const int r = (tid - 128) / 16, q = tid % 16;
            const int gc = blockIdx.x * 16 + q;
            cplx v = { 0.0f, 0.0f };
            if (p + r < k && gc < n)
                v = zb[(p + r) * n + gc];
            sb[r][q] = v;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (p += 8; p < k; p += 8) {
            cplx sa_next;
            cplx sb_next;
            if (tid < 128) {
                const int r = tid / 8, q = tid % 8;
                const int gr = blockIdx.y * 16 + r;
                cplx v = { 0.0f, 0.0f };
                if (gr < m && p + q < k) {
                    v = za[gr * k + p + q];
                    if (conj)
                        v.im = -v.im;
                }
                sa_next = v;
            } else {
                const int r = (tid - 128) / 16, q = tid % 16;
                const int gc = blockIdx.x * 16 + q;
                cplx v = { 0.0f, 0.0f };
                if (p + r < k && gc < n)
                    v = zb[(p + r) * n + gc];
                sb_next = v;
            }

            for (int q = 0; q < 8; ++q)
                s = cmac(s, sa[threadIdx.y][q], sb[q][threadIdx.x]);
            __syncthreads();
            if (tid < 128) {
                const int r = tid / 8, q = tid % 8;
                sa[r][q] = sa_next;
            } else {
                const int r = (tid - 128) / 16, q = tid % 16;
                sb[r][q] = sb_next;
            }
            __syncthreads();
        }
        for (int q = 0; q < 8; ++q)
            s = cmac(s, sa[threadIdx.y][q], sb[q][threadIdx.x]);
    }

    if (i < m && j < n) {
        c[2 * (i * n + j)] = s.re;
        c[2 * (i * n + j) + 1] = s.im;
    }
}
