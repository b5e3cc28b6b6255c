// The main loop is a method; those that load and wait are private, and stand below it in their class.
#include <cuda_runtime.h>

template <typename T, int TILE> class Mainloop {
public:
    struct Storage {
        T a[TILE][TILE + 1];
        T b[TILE][TILE];
    };

    __device__ Mainloop(Storage &storage, const T *a, const T *b, int n, int k)
        : storage_(storage), a_(a), b_(b), n_(n), k_(k) {}

    __device__ T operator()()
    {
        const int row = threadIdx.y, col = threadIdx.x;
        T sum = T(0);
        // pipelinify: ldg-single, 1 stage, source c6506e2c
        static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
        int k0 = 0;
        if (k0 < k_) {
            storage_.a[row][col] = k0 + col < k_ ? a_[(blockIdx.y * TILE + row) * k_ + k0 + col] : T(0);
            storage_.b[row][col] = k0 + row < k_ ? b_[(k0 + row) * n_ + blockIdx.x * TILE + col] : T(0);
            wait();
            // Main loop: fetch the next tile while computing on this one.
            for (k0 += TILE; k0 < k_; k0 += TILE) {
                T a_next = k0 + col < k_ ? a_[(blockIdx.y * TILE + row) * k_ + k0 + col] : T(0);
                T b_next = k0 + row < k_ ? b_[(k0 + row) * n_ + blockIdx.x * TILE + col] : T(0);
#pragma unroll
                for (int k = 0; k < TILE; ++k)
                    sum += storage_.a[row][k] * storage_.b[k][col];
                this->wait();
                storage_.a[row][col] = a_next;
                storage_.b[row][col] = b_next;
                wait();
            }
#pragma unroll
            for (int k = 0; k < TILE; ++k)
                sum += storage_.a[row][k] * storage_.b[k][col];
            wait();
        }
        return sum;
    }

private:
    __device__ void load(int k0, int y, int x)
    {
        storage_.a[y][x] = k0 + x < k_ ? a_[(blockIdx.y * TILE + y) * k_ + k0 + x] : T(0);
        storage_.b[y][x] = k0 + y < k_ ? b_[(k0 + y) * n_ + blockIdx.x * TILE + x] : T(0);
    }
    __device__ void wait() const { __syncthreads(); }

    Storage &storage_;
    const T *a_, *b_;
    int n_, k_;
};

// pipelinify: launch gemm
//   sizes    m=16,32 n=16 k=0,1,16,17,40
//   target   m=2048 n=2048 k=2048
//   grid     n / 16, m / 16
//   block    16, 16
//   a:       in  [m * k] random
//   b:       in  [k * n] random
//   c:       out [m * n]
//   n:       n
//   k:       k
__global__ void __launch_bounds__(256)
gemm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k)
{
    __shared__ Mainloop<float, 16>::Storage storage;
    Mainloop<float, 16> mainloop(storage, a, b, n, k);
    c[(blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 16 + threadIdx.x] = mainloop();
}
