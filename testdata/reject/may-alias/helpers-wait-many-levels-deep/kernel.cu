// The better neighbour of each value of a tile, by helpers that call each other
// many levels deep: each level calls the one below twice, and hardly ever does;
// the lowest hands a value round the block, and waits twice. What is found is
// stored where later tiles may be loaded from.
#include <cuda_runtime.h>

__device__ float best0(float *handed, float x)
{
    handed[threadIdx.x] = x;
    __syncthreads();
    float best = fmaxf(x, handed[threadIdx.x ^ 1]);
    __syncthreads();
    return best;
}
__device__ float best1(float *handed, float x, int deep)
{
    float best = best0(handed, x);
    if (deep > 1)
        best += best0(handed, -x);
    return best;
}
__device__ float best2(float *handed, float x, int deep)
{
    float best = best1(handed, x, deep);
    if (deep > 2)
        best += best1(handed, -x, deep);
    return best;
}
__device__ float best3(float *handed, float x, int deep)
{
    float best = best2(handed, x, deep);
    if (deep > 3)
        best += best2(handed, -x, deep);
    return best;
}
__device__ float best4(float *handed, float x, int deep)
{
    float best = best3(handed, x, deep);
    if (deep > 4)
        best += best3(handed, -x, deep);
    return best;
}
__device__ float best5(float *handed, float x, int deep)
{
    float best = best4(handed, x, deep);
    if (deep > 5)
        best += best4(handed, -x, deep);
    return best;
}
__device__ float best6(float *handed, float x, int deep)
{
    float best = best5(handed, x, deep);
    if (deep > 6)
        best += best5(handed, -x, deep);
    return best;
}
__device__ float best7(float *handed, float x, int deep)
{
    float best = best6(handed, x, deep);
    if (deep > 7)
        best += best6(handed, -x, deep);
    return best;
}
__device__ float best8(float *handed, float x, int deep)
{
    float best = best7(handed, x, deep);
    if (deep > 8)
        best += best7(handed, -x, deep);
    return best;
}
__device__ float best9(float *handed, float x, int deep)
{
    float best = best8(handed, x, deep);
    if (deep > 9)
        best += best8(handed, -x, deep);
    return best;
}
__device__ float best10(float *handed, float x, int deep)
{
    float best = best9(handed, x, deep);
    if (deep > 10)
        best += best9(handed, -x, deep);
    return best;
}
__device__ float best11(float *handed, float x, int deep)
{
    float best = best10(handed, x, deep);
    if (deep > 11)
        best += best10(handed, -x, deep);
    return best;
}
__device__ float best12(float *handed, float x, int deep)
{
    float best = best11(handed, x, deep);
    if (deep > 12)
        best += best11(handed, -x, deep);
    return best;
}
__device__ float best13(float *handed, float x, int deep)
{
    float best = best12(handed, x, deep);
    if (deep > 13)
        best += best12(handed, -x, deep);
    return best;
}
__device__ float best14(float *handed, float x, int deep)
{
    float best = best13(handed, x, deep);
    if (deep > 14)
        best += best13(handed, -x, deep);
    return best;
}
__device__ float best15(float *handed, float x, int deep)
{
    float best = best14(handed, x, deep);
    if (deep > 15)
        best += best14(handed, -x, deep);
    return best;
}
__device__ float best16(float *handed, float x, int deep)
{
    float best = best15(handed, x, deep);
    if (deep > 16)
        best += best15(handed, -x, deep);
    return best;
}
__device__ float best17(float *handed, float x, int deep)
{
    float best = best16(handed, x, deep);
    if (deep > 17)
        best += best16(handed, -x, deep);
    return best;
}
__device__ float best18(float *handed, float x, int deep)
{
    float best = best17(handed, x, deep);
    if (deep > 18)
        best += best17(handed, -x, deep);
    return best;
}
__device__ float best19(float *handed, float x, int deep)
{
    float best = best18(handed, x, deep);
    if (deep > 19)
        best += best18(handed, -x, deep);
    return best;
}
__device__ float best20(float *handed, float x, int deep)
{
    float best = best19(handed, x, deep);
    if (deep > 20)
        best += best19(handed, -x, deep);
    return best;
}
__device__ float best21(float *handed, float x, int deep)
{
    float best = best20(handed, x, deep);
    if (deep > 21)
        best += best20(handed, -x, deep);
    return best;
}
__device__ float best22(float *handed, float x, int deep)
{
    float best = best21(handed, x, deep);
    if (deep > 22)
        best += best21(handed, -x, deep);
    return best;
}
__device__ float best23(float *handed, float x, int deep)
{
    float best = best22(handed, x, deep);
    if (deep > 23)
        best += best22(handed, -x, deep);
    return best;
}
__device__ float best24(float *handed, float x, int deep)
{
    float best = best23(handed, x, deep);
    if (deep > 24)
        best += best23(handed, -x, deep);
    return best;
}

__global__ void __launch_bounds__(64) deep_best(const float *rows, float *found, int tiles, int deep)
{
    __shared__ float row[64];
    __shared__ float handed[64];
    for (int t = 0; t < tiles; ++t)
    {
        row[threadIdx.x] = rows[t * 64 + threadIdx.x];
        __syncthreads();
        found[t * 64 + threadIdx.x] = best24(handed, row[threadIdx.x ^ 7], deep);
        __syncthreads();
    }
}
