#pragma once
__device__ inline float row_weight(float value, int i) {
  return value * (float)(i % 4);
}
