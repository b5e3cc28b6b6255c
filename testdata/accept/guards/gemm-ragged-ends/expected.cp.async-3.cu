// GEMM whose full tiles run without guards: the ragged one is multiplied behind
// the loop in one kernel, before it in the other, in the loop's own tiles.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

constexpr int T = 16;

template <int TILE>
__device__ void multiply(const float (&a)[TILE][TILE], const float (&b)[TILE][TILE], float &c)
{
    #pragma unroll
    for (int i = 0; i < TILE; i++)
        c += a[threadIdx.y][i] * b[i][threadIdx.x];
}

// pipelinify: launch gemm_peeled
//   sizes    M=16 N=32 K=0,1,15,16,17,31,32,48,50,64,113
//   target   M=1024 N=1024 K=1032
//   grid     N / 16, M / 16
//   block    16, 16
//   A: in [M * K + 1]
//   B: in [K * N + 1]
//   C: out [M * N]
//   M: M
//   N: N
//   K: K
__global__ void gemm_peeled(const float *A, const float *B, float *C, int M, int N, int K)
{
    constexpr int stages = 3;
    __shared__ float a_stage[stages][16][16], b_stage[stages][16][16];
    const float *pa = A + (blockIdx.y * 16 + threadIdx.y) * K + threadIdx.x;
    const float *pb = B + threadIdx.y * N + blockIdx.x * 16 + threadIdx.x;
    float c = 0;
    int k = 0;
    int stage = 0;
    // pipelinify: cp.async, 3 stages, source 8c3318ba
    int k_load = k;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load + 16 <= K) {
            __pipeline_memcpy_async(&a_stage[load_stage][threadIdx.y][threadIdx.x], pa, sizeof(float));
            __pipeline_memcpy_async(&b_stage[load_stage][threadIdx.y][threadIdx.x], pb, sizeof(float));
            pa += 16;
            pb += 16 * N;
            k_load += 16;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (; k + 16 <= K; k += 16) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        multiply<16>(a_stage[stage], b_stage[stage], c);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    // Back to the stage of the last tile.
    stage = stage == 0 ? stages - 1 : stage - 1;
    __syncthreads();
    if (k < K) {
        a_stage[stage][threadIdx.y][threadIdx.x] = k + threadIdx.x < K ? *pa : 0.f;
        b_stage[stage][threadIdx.y][threadIdx.x] = k + threadIdx.y < K ? *pb : 0.f;
        __syncthreads();
        multiply<16>(a_stage[stage], b_stage[stage], c);
    }
    C[(blockIdx.y * 16 + threadIdx.y) * N + blockIdx.x * 16 + threadIdx.x] = c;
}

// pipelinify: launch dgemm_ragged_first
//   sizes    M=16 N=16 K=1,15,16,17,32,33,48,64,113
//   target   M=1024 N=1024 K=1032
//   grid     N / 16, M / 16
//   block    16, 16
//   A: in [M * K]
//   B: in [K * N]
//   C: out [M * N]
//   M: M
//   N: N
//   K: K
__global__ void dgemm_ragged_first(const double *__restrict__ A, const double *__restrict__ B, double *__restrict__ C, int M, int N, int K)
{
    constexpr int stages = 3;
    __shared__ double sA_stage[stages][T][T], sB_stage[stages][T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    A += blockIdx.y * T * K;
    B += blockIdx.x * T;
    double sum = 0.0;
    const int head = K % T == 0 ? T : K % T;
    sA_stage[2][ty][tx] = tx < head ? A[ty * K + tx] : 0.0;
    sB_stage[2][ty][tx] = ty < head ? B[ty * N + tx] : 0.0;
    __syncthreads();
    for (int k = 0; k < T; ++k)
        sum += sA_stage[2][ty][k] * sB_stage[2][k][tx];
    __syncthreads();
    A += head;
    B += head * N;
    // pipelinify: cp.async, 3 stages, source f15e985b
    int t_load = (K - head) / T, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load > 0) {
            __pipeline_memcpy_async(&sA_stage[load_stage][ty][tx], &A[ty * K + tx], sizeof(double));
            __pipeline_memcpy_async(&sB_stage[load_stage][ty][tx], &B[ty * N + tx], sizeof(double));
            A += T;
            B += T * N;
            --t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = (K - head) / T; t > 0; --t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        #pragma unroll
        for (int k = 0; k < T; ++k)
            sum += sA_stage[stage][ty][k] * sB_stage[stage][k][tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    C[(blockIdx.y * T + ty) * N + blockIdx.x * T + tx] = sum;
}
