// Templates; the file says how one instantiation is launched, and uses none.
#include "scan.cuh"
// pipelinify: launch lab::prefix<int, 64>
//   sizes n=1,64,200
//   block 64
//   x:    in  [n]
//   y:    out [n]
//   n:    n
namespace lab {
template <class T, int N> __global__ void prefix(const T *x, T *y, int n) {
  __shared__ T room[N];
  T before = 0;
  for (int from = 0; from < n; from += N) {
    int i = from + threadIdx.x;
    T sum = block_scan<T, N>(i < n ? x[i] : T(0), room);
    if (i < n)
      y[i] = before + sum;
    before += room[N - 1];
    __syncthreads();
  }
}
} // namespace lab
