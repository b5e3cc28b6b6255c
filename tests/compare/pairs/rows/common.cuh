// What both sides agree on.
#pragma once
template <class T> struct Pair {
  T low, high;
};
__device__ inline float weigh(float x, float w) { return x * w + 0.5f; }
