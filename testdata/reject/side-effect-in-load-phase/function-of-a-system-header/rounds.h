#pragma once
#pragma GCC system_header
namespace rounds {
__device__ inline int meet()
{
    __syncthreads();
    return 0;
}
struct Turn {
    __device__ ~Turn() { __syncthreads(); }
};
__device__ inline float halved(float x) { return 0.5f * x; }
} // namespace rounds
