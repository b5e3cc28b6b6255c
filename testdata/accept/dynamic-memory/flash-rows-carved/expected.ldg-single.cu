// Flash attention with one query row a thread; Q, K, V and the scores lie one behind the other in dynamic shared memory.
#include <cuda_runtime.h>
#include <math.h>

// pipelinify: launch attention_rows
//   sizes    N=32 L=0,1,15,16,17,32,33,64 d=8,20
//   sizes    N=50 L=40 d=16
//   target   N=8192 L=8192 d=64
//   grid     (N + 31) / 32, 2
//   block    32
//   smem     4 * (32 * d + 2 * 16 * d + 32 * 16)
//   Q:       in  [2 * N * d]
//   K:       in  [2 * L * d]
//   V:       in  [2 * L * d]
//   O:       out [2 * N * d]
//   N:       N
//   L:       L
//   d:       d
//   Br:      32
//   Bc:      16
//   scale:   0.25
__global__ void attention_rows(const float *__restrict__ Q, const float *__restrict__ K,
                               const float *__restrict__ V, float *__restrict__ O,
                               int N, int L, int d, int Br, int Bc, float scale)
{
    extern __shared__ float smem[];
    float *Qs = smem;
    float *Ks = Qs + Br * d;
    float *Vs = Ks + Bc * d;
    float *S  = Vs + Bc * d;

    const int t = threadIdx.x;
    const int head = blockIdx.y;
    const int row = blockIdx.x * Br + t;
    Q += (size_t)head * N * d;
    K += (size_t)head * L * d;
    V += (size_t)head * L * d;
    O += (size_t)head * N * d;

    for (int x = 0; x < d; ++x) {
        Qs[t * d + x] = row < N ? Q[row * d + x] : 0.f;
        if (row < N)
            O[row * d + x] = 0.f;
    }

    float m = -INFINITY, l = 0.f;
    // pipelinify: ldg-single, 1 stage, source 7fe9ebcb
    int j = 0, j_tile = j;
    if (j < L) {
        auto compute_tile = [&]() {
            const int cols = min(Bc, L - j_tile);
            float m_new = m;
            for (int c = 0; c < cols; ++c) {
                float dot = 0.f;
                for (int x = 0; x < d; ++x)
                    dot += Qs[t * d + x] * Ks[c * d + x];
                dot *= scale;
                S[t * Bc + c] = dot;
                m_new = fmaxf(m_new, dot);
            }
            float sum = 0.f;
            for (int c = 0; c < cols; ++c) {
                S[t * Bc + c] = __expf(S[t * Bc + c] - m_new);
                sum += S[t * Bc + c];
            }
            const float fix = __expf(m - m_new);
            l = l * fix + sum;
            m = m_new;
            if (row < N)
                for (int x = 0; x < d; ++x) {
                    float pv = 0.f;
                    for (int c = 0; c < cols; ++c)
                        pv += S[t * Bc + c] * Vs[c * d + x];
                    O[row * d + x] = O[row * d + x] * fix + pv;
                }
        };
        for (int e = t; e < Bc * d; e += blockDim.x) {
            const bool in = j + e / d < L;
            Ks[e] = in ? K[j * d + e] : 0.f;
            Vs[e] = in ? V[j * d + e] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (j += Bc; j < L; j += Bc) {
            float Ks_next[8];
            float Vs_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e = t + slot * blockDim.x;
                if (e < Bc * d) {
                    const bool in = j + e / d < L;
                    Ks_next[slot] = in ? K[j * d + e] : 0.f;
                    Vs_next[slot] = in ? V[j * d + e] : 0.f;
                }
            }
            compute_tile();
            j_tile += Bc;
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int e = t + slot * blockDim.x;
                if (e < Bc * d) {
                    Ks[e] = Ks_next[slot];
                    Vs[e] = Vs_next[slot];
                }
            }
            // What has not been fetched ahead.
            for (int e = t + 8 * blockDim.x; e < Bc * d; e += blockDim.x) {
                const bool in = j + e / d < L;
                Ks[e] = in ? K[j * d + e] : 0.f;
                Vs[e] = in ? V[j * d + e] : 0.f;
            }
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    if (row < N && l > 0.f)
        for (int x = 0; x < d; ++x)
            O[row * d + x] /= l;
}
