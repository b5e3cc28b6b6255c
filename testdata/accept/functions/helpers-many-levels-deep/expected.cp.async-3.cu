// Row sums of products with a table, rounded by helpers that call each other many
// levels deep: each level calls the one below twice, and hardly ever does.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

__device__ void add0(float *sums, float x, int deep) { sums[deep] += x; }
__device__ void add1(float *sums, float x, int deep)
{
    add0(sums, x * 0.5f, deep);
    if (deep > 1)
        add0(sums, x, deep);
}
__device__ void add2(float *sums, float x, int deep)
{
    add1(sums, x * 0.5f, deep);
    if (deep > 2)
        add1(sums, x, deep);
}
__device__ void add3(float *sums, float x, int deep)
{
    add2(sums, x * 0.5f, deep);
    if (deep > 3)
        add2(sums, x, deep);
}
__device__ void add4(float *sums, float x, int deep)
{
    add3(sums, x * 0.5f, deep);
    if (deep > 4)
        add3(sums, x, deep);
}
__device__ void add5(float *sums, float x, int deep)
{
    add4(sums, x * 0.5f, deep);
    if (deep > 5)
        add4(sums, x, deep);
}
__device__ void add6(float *sums, float x, int deep)
{
    add5(sums, x * 0.5f, deep);
    if (deep > 6)
        add5(sums, x, deep);
}
__device__ void add7(float *sums, float x, int deep)
{
    add6(sums, x * 0.5f, deep);
    if (deep > 7)
        add6(sums, x, deep);
}
__device__ void add8(float *sums, float x, int deep)
{
    add7(sums, x * 0.5f, deep);
    if (deep > 8)
        add7(sums, x, deep);
}
__device__ void add9(float *sums, float x, int deep)
{
    add8(sums, x * 0.5f, deep);
    if (deep > 9)
        add8(sums, x, deep);
}
__device__ void add10(float *sums, float x, int deep)
{
    add9(sums, x * 0.5f, deep);
    if (deep > 10)
        add9(sums, x, deep);
}
__device__ void add11(float *sums, float x, int deep)
{
    add10(sums, x * 0.5f, deep);
    if (deep > 11)
        add10(sums, x, deep);
}
__device__ void add12(float *sums, float x, int deep)
{
    add11(sums, x * 0.5f, deep);
    if (deep > 12)
        add11(sums, x, deep);
}
__device__ void add13(float *sums, float x, int deep)
{
    add12(sums, x * 0.5f, deep);
    if (deep > 13)
        add12(sums, x, deep);
}
__device__ void add14(float *sums, float x, int deep)
{
    add13(sums, x * 0.5f, deep);
    if (deep > 14)
        add13(sums, x, deep);
}
__device__ void add15(float *sums, float x, int deep)
{
    add14(sums, x * 0.5f, deep);
    if (deep > 15)
        add14(sums, x, deep);
}
__device__ void add16(float *sums, float x, int deep)
{
    add15(sums, x * 0.5f, deep);
    if (deep > 16)
        add15(sums, x, deep);
}
__device__ void add17(float *sums, float x, int deep)
{
    add16(sums, x * 0.5f, deep);
    if (deep > 17)
        add16(sums, x, deep);
}
__device__ void add18(float *sums, float x, int deep)
{
    add17(sums, x * 0.5f, deep);
    if (deep > 18)
        add17(sums, x, deep);
}
__device__ void add19(float *sums, float x, int deep)
{
    add18(sums, x * 0.5f, deep);
    if (deep > 19)
        add18(sums, x, deep);
}
__device__ void add20(float *sums, float x, int deep)
{
    add19(sums, x * 0.5f, deep);
    if (deep > 20)
        add19(sums, x, deep);
}
__device__ void add21(float *sums, float x, int deep)
{
    add20(sums, x * 0.5f, deep);
    if (deep > 21)
        add20(sums, x, deep);
}
__device__ void add22(float *sums, float x, int deep)
{
    add21(sums, x * 0.5f, deep);
    if (deep > 22)
        add21(sums, x, deep);
}
__device__ void add23(float *sums, float x, int deep)
{
    add22(sums, x * 0.5f, deep);
    if (deep > 23)
        add22(sums, x, deep);
}
__device__ void add24(float *sums, float x, int deep)
{
    add23(sums, x * 0.5f, deep);
    if (deep > 24)
        add23(sums, x, deep);
}

// pipelinify: launch deep_sums
//   sizes    tiles=0,1,2,3,5 deep=0,2,5
//   target   tiles=64 deep=3
//   grid     1
//   block    64
//   rows:    in  [tiles * 64]
//   sums:    inout [64 * 8]
//   tiles:   tiles
//   deep:    deep
__global__ void __launch_bounds__(64) deep_sums(const float *__restrict__ rows, float *__restrict__ sums, int tiles, int deep)
{
    constexpr int stages = 3;
    __shared__ float row_stage[stages][64];
    // pipelinify: cp.async, 3 stages, source 9ece470d
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
        if (t_load < tiles)
        {
            __pipeline_memcpy_async(&row_stage[load_stage][threadIdx.x], &rows[t_load * 64 + threadIdx.x], sizeof(float));
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < tiles; ++t)
    {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int k = 0; k < 64; k += 16)
            add24(sums + threadIdx.x * 8, row_stage[stage][k] * row_stage[stage][threadIdx.x], deep);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
}
