// Loaders whose base calls their own load, by a cast of itself.
#include <cuda_runtime.h>

#define T 16

template <class Derived>
struct LoaderBase {
    __device__ Derived &self() { return *static_cast<Derived *>(this); }
    __device__ void run(float (&tile)[T][T], int k0) { self().load(tile, k0); }
    __device__ void fill(float (&tile)[T][T], int k0)
    {
        static_cast<Derived *>(this)->load(tile, k0);
    }
};

struct RowLoader : LoaderBase<RowLoader> {
    const float *ptr;
    int ld, rows;

    __device__ RowLoader(const float *p, int l, int r) : ptr(p), ld(l), rows(r) {}
    __device__ void load(float (&tile)[T][T], int k0)
    {
        const int r = blockIdx.y * T + threadIdx.y, k = k0 + threadIdx.x;
        tile[threadIdx.y][threadIdx.x] = r < rows && k < ld ? ptr[r * ld + k] : 0.f;
    }

    __device__ auto load_fetch(int k0)
    {
        const int r = blockIdx.y * T + threadIdx.y, k = k0 + threadIdx.x;
        float tile_next = r < rows && k < ld ? ptr[r * ld + k] : 0.f;
        return tile_next;
    }

    __device__ void load_store(float (&tile)[T][T], float tile_next)
    {
        tile[threadIdx.y][threadIdx.x] = tile_next;
    }
};

template <int STEP>
struct ColumnLoader : LoaderBase<ColumnLoader<STEP>> {
    const float *ptr;
    int ld, depth;

    __device__ ColumnLoader(const float *p, int l, int d) : ptr(p), ld(l), depth(d) {}
    __device__ void load(float (&tile)[T][T], int k0)
    {
        const int c = (blockIdx.x * T + threadIdx.x) * STEP, k = k0 + threadIdx.y;
        tile[threadIdx.y][threadIdx.x] = c < ld && k < depth ? ptr[k * ld + c] : 0.f;
    }

    __device__ auto load_fetch(int k0)
    {
        const int c = (blockIdx.x * T + threadIdx.x) * STEP, k = k0 + threadIdx.y;
        float tile_next = c < ld && k < depth ? ptr[k * ld + c] : 0.f;
        return tile_next;
    }

    __device__ void load_store(float (&tile)[T][T], float tile_next)
    {
        tile[threadIdx.y][threadIdx.x] = tile_next;
    }
};

// pipelinify: launch gemm
//   sizes    m=16,20 n=16,17 k=0,1,16,20,48
//   target   m=2048 n=2048 k=2048
//   grid     (n + 15) / 16, (m + 15) / 16
//   block    16, 16
//   a:       in  [m * k + 1]
//   b:       in  [k * n + 1]
//   c:       out [m * n]
//   m:       m
//   n:       n
//   k:       k
__global__ void gemm(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int m, int n, int k)
{
    __shared__ float as[T][T], bs[T][T];
    RowLoader rows(a, k, m);
    ColumnLoader<1> columns(b, n, k);
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 96bdaf59
    int k0 = 0;
    if (k0 < k) {
        rows.load(as, k0);
        columns.load(bs, k0);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += T; k0 < k; k0 += T) {
            auto as_next = rows.load_fetch(k0);
            auto bs_next = columns.load_fetch(k0);
            for (int i = 0; i < T; ++i)
                sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
            __syncthreads();
            rows.load_store(as, as_next);
            columns.load_store(bs, bs_next);
            __syncthreads();
        }
        for (int i = 0; i < T; ++i)
            sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    }
    const int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
    if (row < m && column < n)
        c[row * n + column] = sum;
}
