#pragma once
template <class T> struct view {
  T *at;
  __device__ T &operator[](int i) const { return at[i]; }
};
