// Gaussian kernel density estimate at many points, for float and double samples.
#include <cuda_runtime.h>
#include <cmath>
#include <cuda_pipeline.h>

template <typename T> __device__ inline T gauss(T u);
template <> __device__ inline float gauss<float>(float u) { return expf(-0.5f * u * u); }
template <> __device__ inline double gauss<double>(double u) { return exp(-0.5 * u * u); }

// pipelinify: launch kde<float>
//   sizes  m=100 n=0,1,63,64,65,128,192,256,320,400
//   target m=65536 n=65536
//   grid   (m + 63) / 64
//   block  64
//   samples: in  [n] range(-3, 3)
//   points:  in  [m] range(-3, 3)
//   density: out [m]
//   h:       0.4
//   n:       n
//   m:       m
//
// pipelinify: launch kde<double>
//   sizes  m=64 n=1,64,100,192,300
//   target m=32768 n=32768
//   grid   (m + 63) / 64
//   block  64
//   samples: in  [n] range(-3, 3)
//   points:  in  [m] range(-3, 3)
//   density: out [m]
//   h:       0.25
//   n:       n
//   m:       m
template <typename T>
__global__ void kde(const T* __restrict__ samples, const T* __restrict__ points,
                    T* __restrict__ density, T h, int n, int m)
{
    constexpr int kTile = 64;
    __shared__ T tile_stage[2][kTile];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T x = (i < m) ? points[i] : T(0);
    T sum = T(0);
    T inv_h = T(1) / h;

    // pipelinify: cp.async, 2 stages, source b62a9bc1
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) &&
                  (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) && alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int start_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (start_load < n) {
            int idx = start_load + threadIdx.x;
            if (idx < n)
                __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x], &samples[idx],
                                        sizeof(T));
            start_load += kTile;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int start = 0; start < n; start += kTile) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);

        int len = (n - start < kTile) ? n - start : kTile;
        for (int k = 0; k < len; ++k)
            sum += gauss<T>((x - tile_stage[stage][k]) * inv_h);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);

    if (i < m)
        density[i] = sum * inv_h / T(n) * T(0.3989422804014327);
}

void kde_f32(const float* s, const float* p, float* d, float h, int n, int m)
{
    kde<float><<<(m + 63) / 64, 64>>>(s, p, d, h, n, m);
}

void kde_f64(const double* s, const double* p, double* d, double h, int n, int m)
{
    kde<double><<<(m + 63) / 64, 64>>>(s, p, d, h, n, m);
}
