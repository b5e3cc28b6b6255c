template <int N> __global__ void in_header(int *p) { p[0] = N; }
