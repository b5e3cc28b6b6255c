// A main loop of a class template that brings its storage and its sizes along, by a name of the
// kernel's own; the loop counts with one of them.
#include <cuda_runtime.h>

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

    __device__ auto load_fetch(int k0)
    {
        struct {
            float a_next[DEPTH / N];
            float b_next[DEPTH / M];
        } next;
        #pragma unroll
        for (int i = 0; i < DEPTH / N; ++i)
            next.a_next[i] = a_[threadIdx.y * lda_ + k0 + threadIdx.x + i * N];
        #pragma unroll
        for (int i = 0; i < DEPTH / M; ++i)
            next.b_next[i] = b_[(k0 + threadIdx.y + i * M) * ldb_ + threadIdx.x];
        return next;
    }

    template <typename Registers>
    __device__ void load_store(const Registers &next)
    {
        #pragma unroll
        for (int i = 0; i < DEPTH / N; ++i)
            storage_.a[threadIdx.y][threadIdx.x + i * N] = next.a_next[i];
        #pragma unroll
        for (int i = 0; i < DEPTH / M; ++i)
            storage_.b[threadIdx.y + i * M][threadIdx.x] = next.b_next[i];
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
    __shared__ typename Product::Storage storage;
    Product block(storage, A + blockIdx.y * 16 * K, B + blockIdx.x * 16, K, N);
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source a0e96d46
    int k0 = 0;
    if (k0 < K) {
        block.load(k0);
        k0 += Product::kDepth;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; k0 < K; k0 += Product::kDepth) {
            auto storage_next = block.load_fetch(k0);
            block.multiply(sum);
            __syncthreads();
            block.load_store(storage_next);
            __syncthreads();
        }
        block.multiply(sum);
    }
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
    // pipelinify: ldg-single, 1 stage, source 9bb11119
    int k0 = 0;
    if (k0 < K) {
        block.load(k0);
        k0 += BlockProduct<8, 16, 32>::kDepth;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; k0 < K; k0 += BlockProduct<8, 16, 32>::kDepth) {
            auto storage_next = block.load_fetch(k0);
            block.multiply(sum);
            __syncthreads();
            block.load_store(storage_next);
            __syncthreads();
        }
        block.multiply(sum);
    }
    C[(blockIdx.y * 8 + threadIdx.y) * N + blockIdx.x * 16 + threadIdx.x] = sum;
}
