// Distances between the rows of two matrices, by metrics that keep sums of their own.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <typename T>
struct Cosine {
    struct Sums {
        T xy, xx, yy;
    };
    __device__ static void clear(Sums &s) { s.xy = s.xx = s.yy = T(0); }
    __device__ static void step(Sums &s, T x, T y)
    {
        s.xy += x * y;
        s.xx += x * x;
        s.yy += y * y;
    }
    __device__ static T distance(const Sums &s) { return T(1) - s.xy / sqrt(s.xx * s.yy + T(1)); }
};

template <typename T>
struct Euclid {
    using Sums = T;
    __device__ static void clear(Sums &s) { s = T(0); }
    __device__ static void step(Sums &s, T x, T y) { s += (x - y) * (x - y); }
    __device__ static T distance(const Sums &s) { return sqrt(s); }
};

// pipelinify: launch pairwise<float, Cosine>
//   sizes    m=16,20 n=16 k=0,1,16,33,64,97
//   target   m=4096 n=4096 k=512
//   grid     (n + 15) / 16, (m + 15) / 16
//   block    16, 16
//   x:       in  [m * k]
//   y:       in  [n * k]
//   out:     out [m * n]
//   m:       m
//   n:       n
//   k:       k
// pipelinify: launch pairwise<float, Euclid>
//   sizes    m=16,20 n=16 k=0,1,16,33,64,97
//   target   m=1024 n=1024 k=1024
//   grid     (n + 15) / 16, (m + 15) / 16
//   block    16, 16
//   x:       in  [m * k]
//   y:       in  [n * k]
//   out:     out [m * n]
//   m:       m
//   n:       n
//   k:       k
template <typename T, template <typename> class Metric>
__global__ void pairwise(const T *__restrict__ x, const T *__restrict__ y, T *__restrict__ out, int m, int n, int k)
{
    __shared__ T xs_stage[2][16][17], ys_stage[2][16][17];
    const int row = blockIdx.y * 16 + threadIdx.y, col = blockIdx.x * 16 + threadIdx.x;
    const int other = blockIdx.x * 16 + threadIdx.y;
    typename Metric<T>::Sums sums;
    Metric<T>::clear(sums);

    // pipelinify: cp.async, 2 stages, source f737eec2
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(typename Metric<T>::Sums) &&
                  !__is_same(typename Metric<T>::Sums, volatile typename Metric<T>::Sums),
                  "typename Metric<T>::Sums must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) && (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) &&
                  alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < k) {
            const bool inside = k0_load + threadIdx.x < k;
            if (inside && row < m) {
                __pipeline_memcpy_async(&xs_stage[load_stage][threadIdx.y][threadIdx.x],
                                        &x[row * k + k0_load + threadIdx.x], sizeof(T));
            } else {
                xs_stage[load_stage][threadIdx.y][threadIdx.x] = T(0);
            }
            if (inside && other < n) {
                __pipeline_memcpy_async(&ys_stage[load_stage][threadIdx.y][threadIdx.x],
                                        &y[other * k + k0_load + threadIdx.x], sizeof(T));
            } else {
                ys_stage[load_stage][threadIdx.y][threadIdx.x] = T(0);
            }
            k0_load += 16;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k0 = 0; k0 < k; k0 += 16) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int e = 0; e < 16; ++e)
            Metric<T>::step(sums, xs_stage[stage][threadIdx.y][e], ys_stage[stage][threadIdx.x][e]);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    if (row < m && col < n)
        out[row * n + col] = Metric<T>::distance(sums);
}

void cosine(const float *x, const float *y, float *out, int m, int n, int k)
{
    const dim3 grid((n + 15) / 16, (m + 15) / 16), block(16, 16);
    pairwise<float, Cosine><<<grid, block>>>(x, y, out, m, n, k);
}

void euclid(const float *x, const float *y, float *out, int m, int n, int k)
{
    const dim3 grid((n + 15) / 16, (m + 15) / 16), block(16, 16);
    pairwise<float, Euclid><<<grid, block>>>(x, y, out, m, n, k);
}
