#include <cuda_runtime.h>

#define T 16

// Two main loops of one method: both go through the tiles that the kernel declares, which the
// object knows by a pointer, and that another method of its own multiplies.
struct Tiles {
    float a[T][T];
    float b[T][T];
};

class BothWays {
public:
    __device__ BothWays(Tiles *tiles, const float *a, const float *b, int lda, int ldb, int depth)
        : tiles_(tiles), a_(a), b_(b), lda_(lda), ldb_(ldb), depth_(depth), sum_(0.f)
    {
    }

    __device__ void run()
    {
        const int tx = threadIdx.x, ty = threadIdx.y;
        for (int k0 = 0; k0 < depth_; k0 += T) {
            tiles_->a[ty][tx] = a_[ty * lda_ + k0 + tx];
            tiles_->b[ty][tx] = b_[(k0 + ty) * ldb_ + tx];
            __syncthreads();
            multiply();
            __syncthreads();
        }
        sum_ *= 0.5f;
        for (int k0 = 0; k0 < depth_; k0 += T) {
            tiles_->a[tx][ty] = b_[(k0 + ty) * ldb_ + tx];
            tiles_->b[tx][ty] = a_[ty * lda_ + k0 + tx];
            __syncthreads();
            multiply();
            __syncthreads();
        }
    }

    __device__ float sum() const { return sum_; }

private:
    __device__ void multiply()
    {
        for (int k = 0; k < T; ++k)
            sum_ += tiles_->a[threadIdx.y][k] * tiles_->b[k][threadIdx.x];
    }

    Tiles *tiles_;
    const float *a_, *b_;
    int lda_, ldb_, depth_;
    float sum_;
};

// pipelinify: launch both_ways
//   sizes    K=0,16,32,48,80
//   target   K=2048
//   grid     4, 4
//   block    16, 16
//   A:       in  [64 * K + 1]
//   B:       in  [64 * K + 1]
//   C:       out [64 * 64]
//   K:       K
__global__ void both_ways(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int K)
{
    __shared__ Tiles tiles;
    BothWays product(&tiles, A + blockIdx.y * T * K, B + blockIdx.x * T, K, 64, K);
    product.run();
    C[(blockIdx.y * T + threadIdx.y) * 64 + blockIdx.x * T + threadIdx.x] = product.sum();
}
