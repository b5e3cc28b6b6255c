// Tiles that are objects: they know how to fill themselves, and where their cells lie.
#include <cuda_runtime.h>

template <typename T, int ROWS, int COLS>
class SmemTile {
public:
    __device__ void load(const T *src, int ld, int rows, int cols)
    {
        const int r = threadIdx.y, c = threadIdx.x;
        cell(r, c) = r < rows && c < cols ? src[r * ld + c] : T(0);
    }

    __device__ auto load_fetch(const T *src, int ld, int rows, int cols)
    {
        const int r = threadIdx.y, c = threadIdx.x;
        T this_next = r < rows && c < cols ? src[r * ld + c] : T(0);
        return this_next;
    }

    __device__ void load_store(T this_next)
    {
        const int r = threadIdx.y, c = threadIdx.x;
        cell(r, c) = this_next;
    }
    __device__ T operator()(int r, int c) const { return data_[r][c]; }

private:
    __device__ T &cell(int r, int c) { return data_[r][c]; }
    T data_[ROWS][COLS + 1];
};

// pipelinify: launch gemm
//   sizes    M=16,20 N=16,17 K=0,1,16,33,48
//   target   M=2048 N=2048 K=2048
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void gemm(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                     int M, int N, int K)
{
    __shared__ SmemTile<float, 16, 16> as;
    __shared__ SmemTile<float, 16, 16> bs;
    const int row = blockIdx.y * 16, col = blockIdx.x * 16;
    float sum = 0.0f;

    // pipelinify: ldg-single, 1 stage, source 029a6143
    int k0 = 0;
    if (k0 < K) {
        as.load(A + row * K + k0, K, M - row, K - k0);
        bs.load(B + k0 * N + col, N, K - k0, N - col);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 16; k0 < K; k0 += 16) {
            auto as_next = as.load_fetch(A + row * K + k0, K, M - row, K - k0);
            auto bs_next = bs.load_fetch(B + k0 * N + col, N, K - k0, N - col);
            for (int k = 0; k < 16; ++k)
                sum += as(threadIdx.y, k) * bs(k, threadIdx.x);
            __syncthreads();
            as.load_store(as_next);
            bs.load_store(bs_next);
            __syncthreads();
        }
        for (int k = 0; k < 16; ++k)
            sum += as(threadIdx.y, k) * bs(k, threadIdx.x);
    }
    if (row + threadIdx.y < M && col + threadIdx.x < N)
        C[(row + threadIdx.y) * N + col + threadIdx.x] = sum;
}

// A ring of samples with a margin on each side.
struct Window {
    float samples[64 + 8];

    __device__ void fill(const short *signal, int first, int n)
    {
        for (int i = threadIdx.x; i < 64 + 8; i += 64) {
            const int at = first + i - 4;
            if (at >= 0 && at < n)
                samples[i] = signal[at] * (1.0f / 32768.0f);
            else
                samples[i] = 0.0f;
        }
    }

    __device__ auto fill_fetch(const short *signal, int first, int n)
    {
        struct {
            short samples_next[2];
        } next;
        #pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
            int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
            if (slot < (64 + 8) / 64 || i < 64 + 8) {
                const int at = first + i - 4;
                if (at >= 0 && at < n)
                    next.samples_next[slot] = signal[at];
            }
        }
        return next;
    }

    template <typename Registers>
    __device__ void fill_store(int first, int n, const Registers &next)
    {
        #pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
            int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
            if (slot < (64 + 8) / 64 || i < 64 + 8) {
                const int at = first + i - 4;
                if (at >= 0 && at < n)
                    samples[i] = next.samples_next[slot] * (1.0f / 32768.0f);
                else
                    samples[i] = 0.0f;
            }
        }
    }
};

// pipelinify: launch smooth
//   sizes    n=0,1,63,64,130,320
//   target   n=262144
//   grid     2
//   block    64
//   signal:  in  [n]
//   taps:    in  [9]
//   out:     out [n]
//   n:       n
__global__ void smooth(const short *__restrict__ signal, const float *__restrict__ taps, float *__restrict__ out, int n)
{
    __shared__ Window window;
    // pipelinify: ldg-single, 1 stage, source 53a397c4
    int first = blockIdx.x * 64, first_tile = first;
    if (first < n) {
        auto compute_tile = [&]() {
            float sum = 0.0f;
            for (int t = 0; t < 9; ++t)
                sum += taps[t] * window.samples[threadIdx.x + t];
            if (first_tile + threadIdx.x < n)
                out[first_tile + threadIdx.x] = sum;
        };
        window.fill(signal, first, n);
        first += gridDim.x * 64;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; first < n; first += gridDim.x * 64) {
            auto window_next = window.fill_fetch(signal, first, n);
            compute_tile();
            first_tile += gridDim.x * 64;
            __syncthreads();
            window.fill_store(first, n, window_next);
            __syncthreads();
        }
        compute_tile();
    }
}
