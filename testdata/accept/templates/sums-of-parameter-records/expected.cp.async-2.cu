// A record of parameters and one of shared memory, handed down: what is stored behind a pointer in
// the first changes nothing in it, so that each thread makes as many rounds.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

constexpr int kTile = 16;

struct Parameters {
    const float *__restrict__ a;
    const float *__restrict__ b;
    float *__restrict__ c;
    int n, k;
};

struct Storage {
    float a[kTile][kTile];
    float b[kTile][kTile + 1];
};

// The shared memory is the caller's.
__device__ void multiply(const Parameters &p, Storage &s)
{
    __shared__ Storage s_stage[2];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * kTile + ty, col = blockIdx.x * kTile + tx;
    float sum = 0.0f;
    // pipelinify: cp.async, 2 stages, source 1ab2f65a
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < p.k) {
            __pipeline_memcpy_async(&s_stage[load_stage].a[ty][tx], &p.a[row * p.k + k0_load + tx],
                                    sizeof(float), (k0_load + tx < p.k) ? 0 : sizeof(float));
            __pipeline_memcpy_async(&s_stage[load_stage].b[ty][tx],
                                    &p.b[(k0_load + ty) * p.n + col], sizeof(float),
                                    (k0_load + ty < p.k) ? 0 : sizeof(float));
            k0_load += kTile;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k0 = 0; k0 < p.k; k0 += kTile) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int k = 0; k < kTile; ++k)
            sum += s_stage[stage].a[ty][k] * s_stage[stage].b[k][tx];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    p.c[row * p.n + col] = sum;
}

// pipelinify: launch product
//   sizes    M=16,32 N=16 K=0,1,15,16,17,32,48,80
//   target   M=1024 N=1024 K=1024
//   grid     N / 16, M / 16
//   block    16, 16
//   a:       in  [M * K + 1] random
//   b:       in  [K * N + 1] random
//   c:       out [M * N]
//   n:       N
//   k:       K
__global__ void product(const float *a, const float *b, float *c, int n, int k)
{
    const Parameters p{a, b, c, n, k};
    __shared__ Storage storage;
    multiply(p, storage);
}

// The shared memory is the function's own, and the record is known by a pointer.
__device__ void scale_columns(const Parameters *p)
{
    __shared__ float weights[256];
    const int col = blockIdx.x * 256 + threadIdx.x;
    float sum = 0.0f;
    for (int k0 = 0; k0 < p->k; k0 += 256) {
        weights[threadIdx.x] = k0 + threadIdx.x < p->k ? p->b[k0 + threadIdx.x] : 0.0f;
        __syncthreads();
        for (int k = 0; k < 256 && k0 + k < p->k; ++k)
            sum += weights[k] * p->a[(k0 + k) * p->n + col];
        __syncthreads();
    }
    p->c[col] = sum;
}

// pipelinify: launch columns
//   sizes    N=256 K=0,1,255,256,257,512,768
//   grid     N / 256
//   block    256
//   a:       in  [N * K + 1] random
//   b:       in  [K + 1] random
//   c:       out [N]
//   n:       N
//   k:       K
__global__ void columns(const float *a, const float *b, float *c, int n, int k)
{
    const Parameters p{a, b, c, n, k};
    scale_columns(&p);
}

// As programs hand it over.
__global__ void product_of_record(Parameters p)
{
    __shared__ Storage storage;
    multiply(p, storage);
}
