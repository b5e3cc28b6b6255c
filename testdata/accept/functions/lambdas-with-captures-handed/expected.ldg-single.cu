// One main loop for products whose operands come from lambdas: these have copies of numbers and
// pointers of the kernel's, or know such that nothing sets by references.
#include <cuda_runtime.h>

#define T 16

template <typename LoadA, typename LoadB, typename Store>
__device__ __forceinline__ void product(int k, LoadA load_a, LoadB load_b, Store store)
{
    __shared__ float as[T][T + 1], bs[T][T];
    const int tx = threadIdx.x, ty = threadIdx.y;
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source fe81fc76
    static_assert(__is_trivially_copyable(LoadA) && !__is_same(LoadA, volatile LoadA), "LoadA must be plain data and not volatile");
    static_assert(__is_trivially_copyable(LoadB) && !__is_same(LoadB, volatile LoadB), "LoadB must be plain data and not volatile");
    int k0 = 0;
    if (k0 < k) {
        as[ty][tx] = load_a(ty, k0 + tx);
        bs[ty][tx] = load_b(k0 + ty, tx);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += T; k0 < k; k0 += T) {
            float as_next = load_a(ty, k0 + tx);
            float bs_next = load_b(k0 + ty, tx);
            for (int i = 0; i < T; ++i)
                sum += as[ty][i] * bs[i][tx];
            __syncthreads();
            as[ty][tx] = as_next;
            bs[ty][tx] = bs_next;
            __syncthreads();
        }
        for (int i = 0; i < T; ++i)
            sum += as[ty][i] * bs[i][tx];
        __syncthreads();
    }
    store(ty, tx, sum);
}

// A convolution by points of an image: the operands are what they are in memory.
// pipelinify: launch pointwise
//   sizes    m=16,32 channels=0,1,16,20,48 pixels=16,21
//   target   m=512 channels=512 pixels=4096
//   grid     (pixels + 15) / 16, m / 16
//   block    16, 16
//   w:       in  [m * channels + 1]
//   in:      in  [channels * pixels + 1]
//   out:     out [m * pixels]
//   channels: channels
//   pixels:  pixels
__global__ void pointwise(const float *__restrict__ w, const float *__restrict__ in, float *__restrict__ out, int channels, int pixels)
{
    const int m0 = blockIdx.y * T, n0 = blockIdx.x * T;
    product(channels, [=](int r, int k) { return k < channels ? w[(m0 + r) * channels + k] : 0.f; },
            [=](int k, int c) { return k < channels && n0 + c < pixels ? in[k * pixels + n0 + c] : 0.f; },
            [=](int r, int c, float v) { if (n0 + c < pixels) out[(m0 + r) * pixels + n0 + c] = v; });
}

// A product with a transposed matrix, whose begin the kernel steps to.
// pipelinify: launch with_transposed
//   sizes    n=16,32 k=0,16,32,80
//   target   n=2048 k=2048
//   grid     n / 16, n / 16
//   block    16, 16
//   a:       in  [n * k + 1]
//   b:       in  [n * k + 1]
//   c:       out [n * n]
//   n:       n
//   k:       k
__global__ void with_transposed(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n, int k)
{
    a += blockIdx.y * T * k;
    b += blockIdx.x * T * k;
    const auto row = [=](int r, int i) { return a[r * k + i]; };
    const auto column = [b, k](int i, int c) { return b[c * k + i]; };
    float *const to = c + blockIdx.y * T * n + blockIdx.x * T;
    product(k, row, column, [&](int r, int c, float v) { to[r * n + c] = v; });
}

// How many tiles there are is asked of a lambda, too.
template <typename Count, typename Load>
__device__ float moment(Count count, Load load)
{
    __shared__ float line[32];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source aaee2b5f
    static_assert(!__is_same(Count, Count &&) && !__is_same(Count, volatile Count), "Count must be no reference and not volatile");
    static_assert(!__is_same(Load, Load &&) && !__is_same(Load, volatile Load), "Load must be no reference and not volatile");
    int at = 0;
    if (at < count()) {
        line[threadIdx.x] = load(at + threadIdx.x);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (at += 32; at < count(); at += 32) {
            float line_next = load(at + threadIdx.x);
            for (int i = 0; i < 32; ++i)
                sum += line[i] * line[(i + threadIdx.x) & 31];
            __syncthreads();
            line[threadIdx.x] = line_next;
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i)
            sum += line[i] * line[(i + threadIdx.x) & 31];
        __syncthreads();
    }
    return sum;
}

// pipelinify: launch moments
//   sizes    n=0,1,32,50,160
//   target   n=65536
//   grid     2
//   block    32
//   x:       in  [2 * n + 1]
//   out:     out [64]
//   n:       n
__global__ void moments(const float *__restrict__ x, float *__restrict__ out, int n)
{
    const float *const own = x + blockIdx.x * n;
    out[blockIdx.x * 32 + threadIdx.x] =
        moment([&] { return n; }, [&](int i) { return i < n ? own[i] : 0.f; });
}
