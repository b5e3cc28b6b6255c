#include <cuda_pipeline.h>

// Pairwise distances; what is read and what is measured are policies.
struct GlobalRows {
    const float *ptr;
    int rows, dim;
    template <int R, int D>
    __device__ void fetch(float (*dst)[D + 1], int row0, int d0) const
    {
        const int r = threadIdx.y, d = threadIdx.x;
        dst[r][d] = row0 + r < rows && d0 + d < dim ? ptr[(row0 + r) * dim + d0 + d] : 0.f;
    }

    template <int R, int D>
    __device__ void load_async(float (*dst)[D + 1], int row0, int d0) const
    {
        const int r = threadIdx.y, d = threadIdx.x;
        if (row0 + r < rows && d0 + d < dim) {
            __pipeline_memcpy_async(&dst[r][d], &ptr[(row0 + r) * dim + d0 + d], sizeof(float));
        } else {
            dst[r][d] = 0.f;
        }
    }
};

struct L1 { __device__ float operator()(float acc, float a, float b) const { return acc + fabsf(a - b); } };
struct L2 { __device__ float operator()(float acc, float a, float b) const { return fmaf(a - b, a - b, acc); } };

template <class Metric>
__global__ void pairwise(const float *__restrict__ x, const float *__restrict__ y,
                         float *__restrict__ out, int nx, int ny, int dim)
{
    constexpr int stages = 3;
    __shared__ float xs_stage[stages][16][16 + 1];
    __shared__ float ys_stage[stages][16][16 + 1];
    const GlobalRows gx{x, nx, dim}, gy{y, ny, dim};
    const Metric metric{};
    const int bx = blockIdx.x * 16, by = blockIdx.y * 16;
    float acc = 0.f;

    // pipelinify: cp.async, 3 stages, source 1003bd42
    static_assert(__is_same(Metric, L1) ||
                  __is_same(Metric, L2),
                  "pipelined for this Metric alone: run pipelinify again for another");
    int d0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (d0_load < dim) {
            gx.load_async<16, 16>(xs_stage[load_stage], by, d0_load);
            gy.load_async<16, 16>(ys_stage[load_stage], bx, d0_load);
            d0_load += 16;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int d0 = 0; d0 < dim; d0 += 16) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        #pragma unroll
        for (int d = 0; d < 16; ++d)
            acc = metric(acc, xs_stage[stage][threadIdx.y][d], ys_stage[stage][threadIdx.x][d]);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    if (by + threadIdx.y < nx && bx + threadIdx.x < ny)
        out[(by + threadIdx.y) * ny + bx + threadIdx.x] = acc;
}

// pipelinify: launch pairwise<L1>
//   sizes  nx=5,16,20 ny=17 dim=0,1,16,20,40,64,80,96
//   target nx=4096 ny=4096 dim=128
//   grid   (ny + 15) / 16, (nx + 15) / 16
//   block  16, 16
//   x: in [nx * dim]
//   y: in [ny * dim]
//   out: out [nx * ny]
//   nx: nx
//   ny: ny
//   dim: dim
void l1(const float *x, const float *y, float *out, int nx, int ny, int dim)
{
    pairwise<L1><<<dim3((ny + 15) / 16, (nx + 15) / 16), dim3(16, 16)>>>(x, y, out, nx, ny, dim);
}

void l2(const float *x, const float *y, float *out, int nx, int ny, int dim)
{
    pairwise<L2><<<dim3((ny + 15) / 16, (nx + 15) / 16), dim3(16, 16)>>>(x, y, out, nx, ny, dim);
}
