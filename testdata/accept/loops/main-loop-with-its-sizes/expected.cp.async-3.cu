// A main loop of a class template that brings its storage and its sizes along, by a name of the
// kernel's own; the loop counts with one of them.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <int M, int N, int DEPTH>
class BlockProduct {
public:
    static constexpr int kDepth = DEPTH;
    static const int kThreads = M * N;

    struct Storage {
        float a[M][DEPTH];
        float b[DEPTH][N];
    };

    __device__ BlockProduct(Storage &storage, const float *a, const float *b, int lda, int ldb)
        : storage_(storage), a_(a), b_(b), lda_(lda), ldb_(ldb)
    {
    }

    __device__ void load(int k0)
    {
#pragma unroll
        for (int i = 0; i < DEPTH / N; ++i)
            storage_.a[threadIdx.y][threadIdx.x + i * N] = a_[threadIdx.y * lda_ + k0 + threadIdx.x + i * N];
#pragma unroll
        for (int i = 0; i < DEPTH / M; ++i)
            storage_.b[threadIdx.y + i * M][threadIdx.x] = b_[(k0 + threadIdx.y + i * M) * ldb_ + threadIdx.x];
    }

    __device__ void load_async(int k0)
    {
        #pragma unroll
        for (int i = 0; i < DEPTH / N; ++i)
            __pipeline_memcpy_async(&storage_.a[threadIdx.y][threadIdx.x + i * N],
                                    &a_[threadIdx.y * lda_ + k0 + threadIdx.x + i * N], sizeof(float));
        #pragma unroll
        for (int i = 0; i < DEPTH / M; ++i)
            __pipeline_memcpy_async(&storage_.b[threadIdx.y + i * M][threadIdx.x],
                                    &b_[(k0 + threadIdx.y + i * M) * ldb_ + threadIdx.x], sizeof(float));
    }

    __device__ void multiply(float &sum) const
    {
#pragma unroll
        for (int k = 0; k < DEPTH; ++k)
            sum += storage_.a[threadIdx.y][k] * storage_.b[k][threadIdx.x];
    }

private:
    Storage &storage_;
    const float *a_, *b_;
    int lda_, ldb_;
};

// pipelinify: launch product
//   sizes    M=16,32 N=16 K=0,16,32,48,80
//   target   M=2048 N=2048 K=2048
//   grid     N / 16, M / 16
//   block    16, 16
//   A:       in  [M * K + 1]
//   B:       in  [K * N + 1]
//   C:       out [M * N]
//   N:       N
//   K:       K
__global__ void product(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K)
{
    using Product = BlockProduct<16, 16, 16>;
    constexpr int stages = 3;
    __shared__ typename Product::Storage storage_stage[stages];
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source a0e96d46
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < K) {
            auto &storage = storage_stage[load_stage];
            Product block(storage, A + blockIdx.y * 16 * K, B + blockIdx.x * 16, K, N);
            block.load_async(k0_load);
            k0_load += Product::kDepth;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int k0 = 0; k0 < K; k0 += Product::kDepth) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        auto &storage = storage_stage[stage];
        Product block(storage, A + blockIdx.y * 16 * K, B + blockIdx.x * 16, K, N);
        block.multiply(sum);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    C[(blockIdx.y * 16 + threadIdx.y) * N + blockIdx.x * 16 + threadIdx.x] = sum;
}

// pipelinify: launch deep_product
//   sizes    M=8 N=16 K=0,32,64,96,160
//   target   M=512 N=1024 K=2048
//   grid     N / 16, M / 8
//   block    16, 8
//   A:       in  [M * K + 1]
//   B:       in  [K * N + 1]
//   C:       out [M * N]
//   N:       N
//   K:       K
__global__ void deep_product(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int N, int K)
{
    typedef BlockProduct<8, 16, 32> Product;
    __shared__ Product::Storage storage;
    Product block(storage, A + blockIdx.y * 8 * K, B + blockIdx.x * 16, K, N);
    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += BlockProduct<8, 16, 32>::kDepth) {
        block.load(k0);
        __syncthreads();
        block.multiply(sum);
        __syncthreads();
    }
    C[(blockIdx.y * 8 + threadIdx.y) * N + blockIdx.x * 16 + threadIdx.x] = sum;
}
