// Gaussian kernel density estimate at many points, for float and double samples.
#include <cuda_runtime.h>
#include <cmath>

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
    __shared__ T tile[kTile];

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    T x = (i < m) ? points[i] : T(0);
    T sum = T(0);
    T inv_h = T(1) / h;

    // pipelinify: ldg-single, 1 stage, source b62a9bc1
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    int start = 0, start_tile = start;
    if (start < n) {
        auto compute_tile = [&]() {
            int len = (n - start_tile < kTile) ? n - start_tile : kTile;
            for (int k = 0; k < len; ++k)
                sum += gauss<T>((x - tile[k]) * inv_h);
        };
        {
            int idx = start + threadIdx.x;
            if (idx < n)
                tile[threadIdx.x] = samples[idx];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (start += kTile; start < n; start += kTile) {
            T tile_next;
            int idx = start + threadIdx.x;
            if (idx < n)
                tile_next = samples[idx];
            compute_tile();
            start_tile += kTile;
            __syncthreads();
            if (idx < n)
                tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        compute_tile();
    }

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
