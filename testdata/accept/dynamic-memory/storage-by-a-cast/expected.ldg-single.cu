// The storage of a main loop is what its callers make of a block of bytes, dynamic or not.
#include <cuda_runtime.h>

template <int ROWS, int DEPTH>
struct Mainloop {
    struct TensorStorage {
        float a[ROWS * DEPTH];
        float b[DEPTH * ROWS];
    };

    static __device__ void run(TensorStorage &storage, const float *__restrict__ a, const float *__restrict__ b,
                               int k, int columns, float (&sums)[ROWS * ROWS / 64])
    {
        // pipelinify: ldg-single, 1 stage, source 48e20199
        int k0 = 0;
        if (k0 < k) {
            auto compute_tile = [&]() {
#pragma unroll
                for (int e = 0; e < ROWS * ROWS / 64; ++e) {
                    const int at = threadIdx.x + e * 64;
                    for (int i = 0; i < DEPTH; ++i)
                        sums[e] += storage.a[at / ROWS * DEPTH + i] * storage.b[i * ROWS + at % ROWS];
                }
            };
            for (int i = threadIdx.x; i < ROWS * DEPTH; i += 64)
                storage.a[i] = a[i / DEPTH * k + k0 + i % DEPTH];
            for (int i = threadIdx.x; i < DEPTH * ROWS; i += 64)
                storage.b[i] = b[(k0 + i / ROWS) * columns + i % ROWS];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k0 += DEPTH; k0 < k; k0 += DEPTH) {
                float a_next[(ROWS * DEPTH + 64 - 1) / 64];
                float b_next[(DEPTH * ROWS + 64 - 1) / 64];
#pragma unroll
                for (int slot = 0; slot < (ROWS * DEPTH + 64 - 1) / 64; ++slot) {
                    int i = threadIdx.x + slot * 64;
                    if (i < ROWS * DEPTH)
                        a_next[slot] = a[i / DEPTH * k + k0 + i % DEPTH];
                }
#pragma unroll
                for (int slot = 0; slot < (DEPTH * ROWS + 64 - 1) / 64; ++slot) {
                    int i = threadIdx.x + slot * 64;
                    if (i < DEPTH * ROWS)
                        b_next[slot] = b[(k0 + i / ROWS) * columns + i % ROWS];
                }
                compute_tile();
                __syncthreads();
#pragma unroll
                for (int slot = 0; slot < (ROWS * DEPTH + 64 - 1) / 64; ++slot) {
                    int i = threadIdx.x + slot * 64;
                    if (i < ROWS * DEPTH)
                        storage.a[i] = a_next[slot];
                }
#pragma unroll
                for (int slot = 0; slot < (DEPTH * ROWS + 64 - 1) / 64; ++slot) {
                    int i = threadIdx.x + slot * 64;
                    if (i < DEPTH * ROWS)
                        storage.b[i] = b_next[slot];
                }
                __syncthreads();
            }
            compute_tile();
            __syncthreads();
        }
    }
};

typedef Mainloop<16, 8> Loop16;

// pipelinify: launch in_dynamic_memory
//   sizes    n=16,32 k=0,8,16,40
//   target   n=2048 k=2048
//   grid     n / 16, n / 16
//   block    64
//   smem     1024
//   a:       in  [n * k + 1]
//   b:       in  [n * k + 1]
//   c:       out [n * n]
//   n:       n
//   k:       k
__global__ void in_dynamic_memory(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k)
{
    extern __shared__ __align__(16) unsigned char bytes[];
    auto &storage = *reinterpret_cast<Loop16::TensorStorage *>(bytes);
    float sums[4] = {0.f, 0.f, 0.f, 0.f};
    Loop16::run(storage, a + blockIdx.y * 16 * k, b + blockIdx.x * 16, k, n, sums);
    for (int e = 0; e < 4; ++e) {
        const int at = threadIdx.x + e * 64;
        c[(blockIdx.y * 16 + at / 16) * n + blockIdx.x * 16 + at % 16] = sums[e];
    }
}

// pipelinify: launch in_bytes
//   sizes    n=16,32 k=0,8,16,40
//   grid     n / 16, n / 16
//   block    64
//   a:       in  [n * k + 1]
//   b:       in  [n * k + 1]
//   c:       out [n * n]
//   n:       n
//   k:       k
__global__ void in_bytes(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k)
{
    __shared__ __align__(16) unsigned char bytes[sizeof(Loop16::TensorStorage)];
    float sums[4] = {0.f, 0.f, 0.f, 0.f};
    Loop16::run(*reinterpret_cast<Loop16::TensorStorage *>(bytes), a + blockIdx.y * 16 * k, b + blockIdx.x * 16, k, n, sums);
    for (int e = 0; e < 4; ++e) {
        const int at = threadIdx.x + e * 64;
        c[(blockIdx.y * 16 + at / 16) * n + blockIdx.x * 16 + at % 16] = sums[e];
    }
}
