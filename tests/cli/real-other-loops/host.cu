#include "kernels.cuh"
void run(const float *x, float *y, int n) { sums<<<n / 256, 256>>>(x, y); }
