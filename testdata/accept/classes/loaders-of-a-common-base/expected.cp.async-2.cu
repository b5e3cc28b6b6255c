// Loaders whose base calls their own load, by a cast of itself.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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

    __device__ void load_async(float (&tile)[T][T], int k0)
    {
        const int r = blockIdx.y * T + threadIdx.y, k = k0 + threadIdx.x;
        if (r < rows && k < ld) {
            __pipeline_memcpy_async(&tile[threadIdx.y][threadIdx.x], &ptr[r * ld + k], sizeof(float));
        } else {
            tile[threadIdx.y][threadIdx.x] = 0.f;
        }
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

    __device__ void load_async(float (&tile)[T][T], int k0)
    {
        const int c = (blockIdx.x * T + threadIdx.x) * STEP, k = k0 + threadIdx.y;
        if (c < ld && k < depth) {
            __pipeline_memcpy_async(&tile[threadIdx.y][threadIdx.x], &ptr[k * ld + c], sizeof(float));
        } else {
            tile[threadIdx.y][threadIdx.x] = 0.f;
        }
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
    __shared__ float as_stage[2][T][T], bs_stage[2][T][T];
    RowLoader rows(a, k, m);
    ColumnLoader<1> columns(b, n, k);
    float sum = 0.f;
    // pipelinify: cp.async, 2 stages, source 96bdaf59
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < k) {
            rows.load_async(as_stage[load_stage], k0_load);
            columns.load_async(bs_stage[load_stage], k0_load);
            k0_load += T;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k0 = 0; k0 < k; k0 += T) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < T; ++i)
            sum += as_stage[stage][threadIdx.y][i] * bs_stage[stage][i][threadIdx.x];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    const int row = blockIdx.y * T + threadIdx.y, column = blockIdx.x * T + threadIdx.x;
    if (row < m && column < n)
        c[row * n + column] = sum;
}
