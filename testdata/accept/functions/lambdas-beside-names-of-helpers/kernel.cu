// Lambdas that helpers run, where names of the helpers mean something else to their callers.
#define AT (c + j + i)

template <class F>
__device__ void each(int n, F f) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) f(i);
}

template <class F>
__device__ void each_of_half(int n, F f) {
  for (int i = (n /= 2, threadIdx.x); i < n; i += blockDim.x) f(i);
}

// The lambda has an i of the caller's, the helper one of its own.
//
// pipelinify: launch sees_local
//   sizes  n=3 d=0,64,128,320
//   sizes  n=1 d=192
//   target n=3 d=65536
//   grid   1
//   block  32
//   x:   in  [2 * d + n + 64] random
//   out: out [32]
//   n:   n
//   d:   d
__global__ void sees_local(const float *__restrict__ x, float *__restrict__ out, int n, int d)
{
  __shared__ float xs[64];
  float acc = 0.f;
  int i = n;
  for (int c = 0; c < d; c += 64) {
    each(64, [&](int j) { xs[j] = x[c + j + i]; });
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += xs[k];
    __syncthreads();
  }
  out[threadIdx.x] = acc * n;
}

// So has the bound.
//
// pipelinify: launch bound_has_local
//   sizes  n=3 d=0,64,128,320
//   sizes  n=1 d=192
//   target n=3 d=65536
//   grid   1
//   block  32
//   x:   in  [d + 64] random
//   out: out [32]
//   n:   n
//   d:   d
__global__ void bound_has_local(const float *__restrict__ x, float *__restrict__ out, int n, int d)
{
  __shared__ float xs[64];
  float acc = 0.f;
  int i = 64;
  for (int c = 0; c < d; c += 64) {
    each(i, [&](int j) { xs[j] = x[c + j]; });
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += xs[k];
    __syncthreads();
  }
  out[threadIdx.x] = acc * n;
}

// The name stands in a macro's body.
//
// pipelinify: launch sees_local_by_macro
//   sizes  n=3 d=0,64,128,320
//   sizes  n=1 d=192
//   target n=3 d=65536
//   grid   1
//   block  32
//   x:   in  [2 * d + n + 64] random
//   out: out [32]
//   n:   n
//   d:   d
__global__ void sees_local_by_macro(const float *__restrict__ x, float *__restrict__ out, int n, int d)
{
  __shared__ float xs[64];
  float acc = 0.f;
  int i = n;
  for (int c = 0; c < d; c += 64) {
    each(64, [&](int j) { xs[j] = x[AT]; });
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += xs[k];
    __syncthreads();
  }
  out[threadIdx.x] = acc * n;
}

// The helper changes what it is handed.
//
// pipelinify: launch bound_is_changed
//   sizes  n=3 d=0,64,128,320
//   sizes  n=1 d=192
//   target n=3 d=65536
//   grid   1
//   block  32
//   x:   in  [d + 64] random
//   out: out [32]
//   n:   n
//   d:   d
__global__ void bound_is_changed(const float *__restrict__ x, float *__restrict__ out, int n, int d)
{
  __shared__ float xs[64];
  float acc = 0.f;
  for (int c = 0; c < d; c += 64) {
    each_of_half(128, [&](int j) { xs[j] = x[c + j]; });
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += xs[k];
    __syncthreads();
  }
  out[threadIdx.x] = acc * n;
}

// The lambda changes its own index, the helper's loop goes on.
//
// pipelinify: launch index_is_changed
//   sizes  n=3 d=0,64,128,320
//   sizes  n=1 d=192
//   target n=3 d=65536
//   grid   1
//   block  32
//   x:   in  [d + 64] random
//   out: out [32]
//   n:   n
//   d:   d
__global__ void index_is_changed(const float *__restrict__ x, float *__restrict__ out, int n, int d)
{
  __shared__ float xs[64];
  float acc = 0.f;
  for (int c = 0; c < d; c += 64) {
    each(64, [&](int i) {
      xs[i] = x[c + i];
      i += 32;
    });
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += xs[k];
    __syncthreads();
  }
  out[threadIdx.x] = acc * n;
}
