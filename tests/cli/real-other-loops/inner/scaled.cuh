#pragma once
template <int By> __global__ void scaled(const float *x, float *y) { y[threadIdx.x] = By * x[threadIdx.x]; }
