// Inclusive sums of the threads of a block of N.
#pragma once
template <class T, int N> __device__ T block_scan(T v, T *room) {
  room[threadIdx.x] = v;
  __syncthreads();
  for (int by = 1; by < N; by *= 2) {
    T more = threadIdx.x >= by ? room[threadIdx.x - by] : T(0);
    __syncthreads();
    room[threadIdx.x] += more;
    __syncthreads();
  }
  return room[threadIdx.x];
}
