// Cosine similarity of two sets of rows: tiles and the scratch of the norms are members of one unnamed record.
#include <cuda_runtime.h>

#define T 16

// pipelinify: launch cosine
//   sizes    M=1,16,20 N=17 K=1,16,17,33,48
//   target   M=2048 N=2048 K=1024
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   X:       in  [M * K]
//   Y:       in  [N * K]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void cosine(const float *X, const float *Y, float *__restrict__ C, int M, int N, int K)
{
    __shared__ struct {
        float x[T][T + 1];
        float y[T][T + 1];
        float xx[T];
        float yy[T];
    } sm;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int i = blockIdx.y * T + ty, j0 = blockIdx.x * T, j = j0 + tx;
    float dot = 0.f;

    if (ty == 0)
        sm.xx[tx] = sm.yy[tx] = 0.f;
    // pipelinify: ldg-single, 1 stage, source d9ed43ea
    int k = 0;
    if (k < K) {
        auto compute_tile = [&]() {
            if (ty < 2) {
                float sum = 0.f;
                for (int e = 0; e < T; ++e)
                    sum += ty ? sm.y[tx][e] * sm.y[tx][e] : sm.x[tx][e] * sm.x[tx][e];
                (ty ? sm.yy : sm.xx)[tx] += sum;
            }
            for (int e = 0; e < T; ++e)
                dot += sm.x[ty][e] * sm.y[tx][e];
        };
        sm.x[ty][tx] = i < M && k + tx < K ? X[i * K + k + tx] : 0.f;
        sm.y[ty][tx] = j0 + ty < N && k + tx < K ? Y[(j0 + ty) * K + k + tx] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += T; k < K; k += T) {
            float x_next = i < M && k + tx < K ? X[i * K + k + tx] : 0.f;
            float y_next = j0 + ty < N && k + tx < K ? Y[(j0 + ty) * K + k + tx] : 0.f;
            compute_tile();
            __syncthreads();
            sm.x[ty][tx] = x_next;
            sm.y[ty][tx] = y_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    if (i < M && j < N)
        C[i * N + j] = dot * rsqrtf(sm.xx[ty] * sm.yy[tx] + 1e-6f);
}
