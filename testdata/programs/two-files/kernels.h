#pragma once
#include <cuda_runtime.h>

__global__ void blend(const float *in, float *out, int n);
void launch_blend(const float *in, float *out, int n, cudaStream_t stream = 0);
