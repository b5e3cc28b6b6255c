// Flash attention by a block of four warps: scores, probabilities and the rows' statistics are handed on in scratch
// that is carved out of the same dynamic block as the tiles.
#include <cuda_runtime.h>
#include <math.h>

// pipelinify: launch flash_fwd<32, 16, 32, 128>
//   sizes    N=32 L=0,1,15,16,17,32,33,64,80
//   sizes    N=40 L=50
//   target   N=8192 L=8192
//   grid     (N + 31) / 32, 2
//   block    128
//   smem     4 * (32 * 33 + 2 * 16 * 33 + 32 * 17 + 3 * 32)
//   Q:       in  [2 * N * 32]
//   K:       in  [2 * L * 32]
//   V:       in  [2 * L * 32]
//   O:       out [2 * N * 32]
//   lse:     out [2 * N]
//   N:       N
//   L:       L
//   scale:   0.176
template <int BR, int BC, int D, int NT>
__global__ void __launch_bounds__(NT)
flash_fwd(const float *__restrict__ Q, const float *__restrict__ K, const float *__restrict__ V,
          float *__restrict__ O, float *__restrict__ lse, int N, int L, float scale)
{
    constexpr int LD = D + 1, LS = BC + 1;
    extern __shared__ __align__(16) char arena[];
    float *const Qs = reinterpret_cast<float *>(arena);
    float *const Ks = Qs + BR * LD;
    float *const Vs = Ks + BC * LD;
    float *const P  = Vs + BC * LD;
    float *const row_max = P + BR * LS;
    float *const row_sum = row_max + BR;
    float *const row_fix = row_sum + BR;

    const int tid = threadIdx.x, warp = tid / 32, lane = tid % 32;
    const int q0 = blockIdx.x * BR;
    const size_t head = blockIdx.y;
    const float *Qh = Q + head * N * D, *Kh = K + head * L * D, *Vh = V + head * L * D;

    for (int i = tid; i < BR * D; i += NT) {
        const int r = i / D, x = i % D;
        Qs[r * LD + x] = q0 + r < N ? Qh[(q0 + r) * D + x] * scale : 0.f;
    }
    if (tid < BR) {
        row_max[tid] = -INFINITY;
        row_sum[tid] = 0.f;
    }

    float acc[BR / 4] = {};                 // row warp + 4 i, column lane
    // pipelinify: ldg-single, 1 stage, source 66eac50e
    int j0 = 0, j0_tile = j0;
    if (j0 < L) {
        __syncthreads();
        auto compute_tile = [&]() {
            for (int i = tid; i < BR * BC; i += NT) {
                const int r = i / BC, c = i % BC;
                float s = 0.f;
#pragma unroll 8
                for (int x = 0; x < D; ++x)
                    s += Qs[r * LD + x] * Ks[c * LD + x];
                P[r * LS + c] = j0_tile + c < L ? s : -INFINITY;
            }
            __syncthreads();

            for (int r = warp; r < BR; r += NT / 32) {
                const float s = lane < BC ? P[r * LS + lane] : -INFINITY;
                float top = s;
                for (int o = 16; o > 0; o /= 2)
                    top = fmaxf(top, __shfl_xor_sync(0xffffffff, top, o));
                const float before = row_max[r], now = fmaxf(before, top);
                const float p = lane < BC ? expf(s - now) : 0.f;
                float sum = p;
                for (int o = 16; o > 0; o /= 2)
                    sum += __shfl_xor_sync(0xffffffff, sum, o);
                __syncwarp();
                if (lane < BC)
                    P[r * LS + lane] = p;
                if (lane == 0) {
                    row_fix[r] = expf(before - now);
                    row_sum[r] = row_sum[r] * row_fix[r] + sum;
                    row_max[r] = now;
                }
            }
            __syncthreads();

            for (int i = 0; i < BR / 4; ++i) {
                const int r = warp + 4 * i;
                float o = acc[i] * row_fix[r];
                for (int c = 0; c < BC; ++c)
                    o += P[r * LS + c] * Vs[c * LD + lane];
                acc[i] = o;
            }
        };
        for (int i = tid; i < BC * D; i += NT) {
            const int r = i / D, x = i % D;
            Ks[r * LD + x] = j0 + r < L ? Kh[(j0 + r) * D + x] : 0.f;
            Vs[r * LD + x] = j0 + r < L ? Vh[(j0 + r) * D + x] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (j0 += BC; j0 < L; j0 += BC) {
            float Ks_next[(BC * D + NT - 1) / NT];
            float Vs_next[(BC * D + NT - 1) / NT];
#pragma unroll
            for (int slot = 0; slot < (BC * D + NT - 1) / NT; ++slot) {
                int i = tid + slot * NT;
                if (i < BC * D) {
                    const int r = i / D, x = i % D;
                    Ks_next[slot] = j0 + r < L ? Kh[(j0 + r) * D + x] : 0.f;
                    Vs_next[slot] = j0 + r < L ? Vh[(j0 + r) * D + x] : 0.f;
                }
            }
            compute_tile();
            j0_tile += BC;
            __syncthreads();
#pragma unroll
            for (int slot = 0; slot < (BC * D + NT - 1) / NT; ++slot) {
                int i = tid + slot * NT;
                if (i < BC * D) {
                    const int r = i / D, x = i % D;
                    Ks[r * LD + x] = Ks_next[slot];
                    Vs[r * LD + x] = Vs_next[slot];
                }
            }
            __syncthreads();
        }
        compute_tile();
    }
    __syncthreads();

    for (int i = 0; i < BR / 4; ++i) {
        const int r = warp + 4 * i;
        if (q0 + r < N) {
            O[(head * N + q0 + r) * D + lane] = row_sum[r] > 0.f ? acc[i] / row_sum[r] : 0.f;
            if (lane == 0)
                lse[head * N + q0 + r] = row_max[r] + logf(row_sum[r]);
        }
    }
}

template __global__ void flash_fwd<32, 16, 32, 128>(const float *, const float *, const float *, float *, float *, int,
                                                    int, float);
