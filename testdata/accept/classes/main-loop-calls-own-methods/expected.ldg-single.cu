// Main loops of classes whose methods load, and multiply: the object knows the kernel's shared
// memory by a reference or by pointers, and the loop calls the object's own methods.
#include <cuda_runtime.h>

template <int BM, int BN, int BK>
class SimtMainloop {
public:
    struct SharedStorage {
        float a[BK][BM + 1];
        float b[BK][BN];
    };

private:
    SharedStorage &shared_;
    const float *a_, *b_;
    int lda_, ldb_, tx_, ty_;

    // Rows of A, as columns of the tile.
    __device__ void load_a(int k0)
    {
        shared_.a[tx_][ty_] = a_[(blockIdx.y * BM + ty_) * lda_ + k0 + tx_];
    }

    __device__ auto load_a_fetch(int k0)
    {
        float a_next = a_[(blockIdx.y * BM + ty_) * lda_ + k0 + tx_];
        return a_next;
    }

    __device__ void load_a_store(float a_next)
    {
        shared_.a[tx_][ty_] = a_next;
    }

    __device__ void load_b(int k0) { shared_.b[ty_][tx_] = b_[(k0 + ty_) * ldb_ + blockIdx.x * BN + tx_]; }

    __device__ auto load_b_fetch(int k0) {
        float b_next = b_[(k0 + ty_) * ldb_ + blockIdx.x * BN + tx_];
        return b_next;
    }

    __device__ void load_b_store(float b_next) {
        shared_.b[ty_][tx_] = b_next;
    }

    __device__ void mma(float &acc, int k) const { acc += shared_.a[k][ty_] * shared_.b[k][tx_]; }

public:
    __device__ SimtMainloop(SharedStorage &storage, const float *a, const float *b, int lda, int ldb)
        : shared_(storage), a_(a), b_(b), lda_(lda), ldb_(ldb), tx_(threadIdx.x), ty_(threadIdx.y)
    {
    }

    __device__ void operator()(float &acc, int k)
    {
        // pipelinify: ldg-single, 1 stage, source 644b5630
        int k0 = 0;
        if (k0 < k) {
            load_a(k0);
            this->load_b(k0);
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k0 += BK; k0 < k; k0 += BK) {
                auto shared_next = load_a_fetch(k0);
                auto shared_next2 = this->load_b_fetch(k0);
#pragma unroll
                for (int kk = 0; kk < BK; ++kk)
                    mma(acc, kk);
                __syncthreads();
                load_a_store(shared_next);
                this->load_b_store(shared_next2);
                __syncthreads();
            }
#pragma unroll
            for (int kk = 0; kk < BK; ++kk)
                mma(acc, kk);
            __syncthreads();
        }
    }
};

// pipelinify: launch gemm
//   sizes    M=16,32 N=16 K=0,16,32,48,80
//   target   M=2048 N=2048 K=2048
//   grid     N / 16, M / 16
//   block    16, 16
//   A:       in  [M * K + 1]
//   B:       in  [K * N + 1]
//   C:       out [M * N]
//   N:       N
//   K:       K
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                     int N, int K)
{
    using Mainloop = SimtMainloop<16, 16, 16>;
    __shared__ Mainloop::SharedStorage storage;
    Mainloop mainloop(storage, A, B, K, N);
    float acc = 0.f;
    mainloop(acc, K);
    C[(blockIdx.y * 16 + threadIdx.y) * N + blockIdx.x * 16 + threadIdx.x] = acc;
}

// Two arrays of the kernel's; what is multiplied is summed up in the object, and the method that
// loads is told where the rows end.
struct RowPairs {
    float *left, *right;
    const float *__restrict__ x, *__restrict__ y;
    float sum;

    __device__ RowPairs(float *l, float *r, const float *px, const float *py)
        : left(l), right(r), x(px), y(py), sum(0.f)
    {
    }

    __device__ void load(int at, int n)
    {
        for (int i = threadIdx.x; i < 128; i += 64) {
            left[i] = at + i < n ? x[at + i] : 0.f;
            right[i] = at + i < n ? y[at + i] : 1.f;
        }
    }

    __device__ auto load_fetch(int at, int n)
    {
        struct {
            float left_next[2];
            float right_next[2];
        } next;
        #pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
            int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
            next.left_next[slot] = at + i < n ? x[at + i] : 0.f;
            next.right_next[slot] = at + i < n ? y[at + i] : 1.f;
        }
        return next;
    }

    template <typename Registers>
    __device__ void load_store(const Registers &next)
    {
        #pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
            int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
            left[i] = next.left_next[slot];
            right[i] = next.right_next[slot];
        }
    }

    __device__ void add()
    {
        for (int i = 0; i < 128; ++i)
            sum += left[i] * right[(i + threadIdx.x) & 127];
    }

    __device__ float run(int n)
    {
        // pipelinify: ldg-single, 1 stage, source 40f30697
        int at = 0;
        if (at < n) {
            load(at, n);
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (at += 128; at < n; at += 128) {
                auto left_next = load_fetch(at, n);
                add();
                __syncthreads();
                load_store(left_next);
                __syncthreads();
            }
            add();
            __syncthreads();
        }
        return sum;
    }
};

// pipelinify: launch correlate
//   sizes    n=0,1,127,128,129,256,300,512
//   target   n=65536
//   grid     1
//   block    64
//   x:       in  [n + 1]
//   y:       in  [n + 1]
//   out:     out [64]
//   n:       n
__global__ void correlate(const float *x, const float *y, float *out, int n)
{
    __shared__ float left[128], right[128];
    out[threadIdx.x] = RowPairs(left, right, x, y).run(n);
}
