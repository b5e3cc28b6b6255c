// Shared memory is read before it is written where n is 0. MUTANT 1 reads more of
// it than the original.
#ifndef MUTANT
#define MUTANT 0
#endif
// pipelinify: launch shown
//   sizes n=0,32
//   grid 1
//   block 16
//   a: in [n + 1]
//   o: out [16]
//   n: n
// pipelinify: launch hidden
//   sizes n=0,32
//   grid 1
//   block 16
//   a: in [n + 1]
//   o: out [16]
//   n: n
// pipelinify: launch never
//   sizes n=0,32
//   grid 1
//   block 16
//   a: in [n + 1]
//   o: out [16]
//   n: n
// pipelinify: launch asked
//   sizes n=0,32
//   grid 1
//   block 16
//   a: in [n + 1]
//   o: out [16]
//   n: n
__device__ float fill(float *s, const float *a, int n) {
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    s[threadIdx.x] = a[t + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 16; i++)
      sum += s[i];
    __syncthreads();
  }
  return sum;
}
__global__ void shown(const float *a, float *o, int n) {
  __shared__ float s[16];
  o[threadIdx.x] = fill(s, a, n) + s[0];
}
__global__ void hidden(const float *a, float *o, int n) {
  __shared__ float s[16];
  float sum = fill(s, a, n), first = s[0];
  o[threadIdx.x] = n > 0 ? sum + first : MUTANT ? s[1] : 0;
}
// Nothing writes this, and the compiler sees it.
__global__ void never(const float *a, float *o, int n) {
  __shared__ float s[16];
  if (n < 0 && n > 0)
    s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  o[threadIdx.x] = n > 0 ? s[15 - threadIdx.x] : 0;
}
// Of the values that nobody wrote only zero makes a difference: in one of two words.
__global__ void asked(const float *a, float *o, int n) {
  __shared__ float s[16];
  float sum = fill(s, a, n);
  o[threadIdx.x] = s[0] == 0 || s[1] == 0 ? -1 : n > 0 ? sum : 0;
}
