// The traits of one instantiation lack the type: what it declares stands at no place.
struct Bytes {};
template <class T> __global__ void k(float *x, float *y, int n) {
  using element = typename T::row;
  __shared__ float s[64];
  float sum = 0.f;
  for (int t = 0; t < n; ++t) {
    element *row = x + 64 * t;
    s[threadIdx.x] = row[threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 64; ++j)
      sum += s[j];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}
template __global__ void k<Bytes>(float *, float *, int);
