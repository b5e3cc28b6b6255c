#include <cuda_fp16.h>
#include <math.h>

// Takes n elements from the block's shared memory and moves the cursor past them.
template <typename T>
__device__ __forceinline__ T *carve(char *&cursor, int n)
{
    T *at = reinterpret_cast<T *>(cursor);
    cursor += (n * sizeof(T) + 15) / 16 * 16;
    return at;
}

// Attention of one row a thread; keys and values by tiles, carved by a cursor.
//
// pipelinify: launch flash_rows<32, 32>
//   sizes N=1,32,64,80
//   target N=4096
//   grid  (N + 31) / 32, 2
//   block 32
//   smem  2 * 32 * 32 * 2
//   Q: in  [2 * N * 32]
//   K: in  [2 * N * 32]
//   V: in  [2 * N * 32]
//   O: out [2 * N * 32]
//   N: N
//   scale: 0.17
template <int BC, int D>
__global__ void flash_rows(const half *__restrict__ Q, const half *__restrict__ K,
                           const half *__restrict__ V, half *__restrict__ O, int N, float scale)
{
    extern __shared__ __align__(16) char raw[];
    char *cursor = raw;
    half *sK = carve<half>(cursor, BC * D);
    half *sV = carve<half>(cursor, BC * D);

    const int tid = threadIdx.x, row = blockIdx.x * BC + tid;
    const size_t base = (size_t)blockIdx.y * N * D;
    float q[D], o[D];
    for (int d = 0; d < D; ++d) {
        q[d] = row < N ? __half2float(Q[base + row * D + d]) * scale : 0.f;
        o[d] = 0.f;
    }
    float m = -INFINITY, l = 0.f;

    // pipelinify: ldg-single, 1 stage, source 32486397
    int j0 = 0, j0_tile = j0;
    if (j0 < N) {
        auto compute_tile = [&]() {
            float s[BC], top = m;
            for (int j = 0; j < BC; ++j) {
                float t = 0.f;
                for (int d = 0; d < D; ++d)
                    t += q[d] * __half2float(sK[j * D + d]);
                s[j] = j0_tile + j < N ? t : -INFINITY;
                top = fmaxf(top, s[j]);
            }
            const float fade = __expf(m - top);
            l *= fade;
            for (int d = 0; d < D; ++d)
                o[d] *= fade;
            for (int j = 0; j < BC; ++j) {
                const float p = __expf(s[j] - top);
                l += p;
                for (int d = 0; d < D; ++d)
                    o[d] += p * __half2float(sV[j * D + d]);
            }
            m = top;
        };
        for (int r = 0; r < BC; ++r) {
            const bool in = j0 + r < N;
            sK[r * D + tid] = in ? K[base + (size_t)(j0 + r) * D + tid] : __float2half(0.f);
            sV[r * D + tid] = in ? V[base + (size_t)(j0 + r) * D + tid] : __float2half(0.f);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (j0 += BC; j0 < N; j0 += BC) {
            half sK_next[BC];
            half sV_next[BC];
            #pragma unroll
            for (int r = 0; r < BC; ++r) {
                const bool in = j0 + r < N;
                sK_next[r] = __float2half(0.f);
                if (in)
                    sK_next[r] = K[base + (size_t)(j0 + r) * D + tid];
                sV_next[r] = __float2half(0.f);
                if (in)
                    sV_next[r] = V[base + (size_t)(j0 + r) * D + tid];
            }
            compute_tile();
            j0_tile += BC;
            __syncthreads();
            #pragma unroll
            for (int r = 0; r < BC; ++r) {
                sK[r * D + tid] = sK_next[r];
                sV[r * D + tid] = sV_next[r];
            }
            __syncthreads();
        }
        compute_tile();
    }

    if (row < N)
        for (int d = 0; d < D; ++d)
            O[base + row * D + d] = __float2half(o[d] / l);
}
template __global__ void flash_rows<32, 32>(const half *, const half *, const half *, half *, int, float);
