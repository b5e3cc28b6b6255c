// What was tried and switched off stands between #if 0 and #endif: it goes where its neighbours go.
#include <cuda_runtime.h>

#define T 64

// pipelinify: launch filtered_rows
//   sizes    n=0,1,2,3,4,5,9
//   target   n=4096
//   grid     3
//   block    64
//   x:       in  [n * 64]
//   w:       in  [n * 128]
//   y:       out [3 * 64]
//   n:       n
__global__ void filtered_rows(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int n)
{
    __shared__ float s_stage[2][T], q_stage[2][2 * T];
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source e137c13f
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
#if 0
            if (threadIdx.x == 0)
                printf("%d: %f\n", k, s[0]);
            __syncthreads();
#endif // tile
            for (int j = 0; j < T; ++j) {
#if 0
                sum += s[j] * q[j];
#endif
                sum += s_stage[stage][j] * q_stage[stage][(j + threadIdx.x) % (2 * T)];
            }
#if 0
                    sum *= 0.5f;
#endif
        };
#if 0
        s[threadIdx.x] = __ldg(&x[k * T + threadIdx.x]); // isn't any faster
#endif
        s_stage[0][threadIdx.x] = x[k * T + threadIdx.x];
        for (int i = threadIdx.x; i < 2 * T; i += T) {
#if 0
            /* the old layout
            #endif */
#ifdef TRANSPOSED
            q[i] = w[i * n + k];
#else
            q[2 * T - i] = w[k * 2 * T + i];
#endif
#endif
            q_stage[0][i] = w[k * 2 * T + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float q_next[2 * T / T];
#if 0
                    s[threadIdx.x] = __ldg(&x[k * T + threadIdx.x]); // isn't any faster
#endif
            float s_next = x[k * T + threadIdx.x];
            #pragma unroll
            for (int slot = 0; slot < 2 * T / T; ++slot) {
                int i = (threadIdx.x < T ? threadIdx.x : T - 1) + slot * T;
#if 0
                            /* the old layout
                            #endif */
#ifdef TRANSPOSED
                            q[i] = w[i * n + k];
#else
                            q[2 * T - i] = w[k * 2 * T + i];
#endif
#endif
                q_next[slot] = w[k * 2 * T + i];
            }
            compute_tile();
            stage ^= 1;
            s_stage[stage][threadIdx.x] = s_next;
            #pragma unroll
            for (int slot = 0; slot < 2 * T / T; ++slot) {
                int i = (threadIdx.x < T ? threadIdx.x : T - 1) + slot * T;
                q_stage[stage][i] = q_next[slot];
            }
            __syncthreads();
        }
        compute_tile();
    }
    y[blockIdx.x * T + threadIdx.x] = sum;
}

// pipelinify: launch clipped_sum
//   sizes    n=0,1,63,64,65,128,190,430
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [n]
//   y:       out [64]
//   n:       n
__global__ void clipped_sum(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s_stage[2][T];
    float sum = 0.f;
    int k = 0;
    // pipelinify: ldg, 2 stages, source 41943b48
    if (k < n) {
        int stage = 0;
        auto compute_tile = [&]() {
            for (int j = 0; j < T; ++j)
#if 0
            #pragma unroll
#endif
                sum += fminf(s_stage[stage][j], 0.75f) * (float)(j ^ threadIdx.x);
        };
        if (k + (int)threadIdx.x < n)
            s_stage[0][threadIdx.x] = x[
#if 0
                n - 1 -
#endif
                k + threadIdx.x];
        else
#if 0
            s[threadIdx.x] = x[n - 1];
#endif
            s_stage[0][threadIdx.x] = 0.f;
#if 0
        k += 2 * T;
#endif
        k += T;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (k < n) {
            float s_next;
            if (k + (int)threadIdx.x < n) {
                s_next = x[
#if 0
                    n - 1 -
#endif
                    k + threadIdx.x];
            } else {
                s_next = 0.f;
            }
            compute_tile();
            stage ^= 1;
            s_stage[stage][threadIdx.x] = s_next;
#if 0
            k += 2 * T;
#endif
            k += T;
            __syncthreads();
        }
        compute_tile();
    }
    y[threadIdx.x] = sum;
}
