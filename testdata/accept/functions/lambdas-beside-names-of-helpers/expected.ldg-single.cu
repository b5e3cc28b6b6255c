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
  // pipelinify: ldg-single, 1 stage, source 499e9acd
  {
    int c = 0;
    if (c < d) {
      for (int i_each = threadIdx.x; i_each < 64; i_each += blockDim.x) { int j = i_each; xs[j] = x[c + j + i]; }
      __syncthreads();
      // Main loop: fetch the next tile while computing on this one.
      for (c += 64; c < d; c += 64) {
        float xs_next[2];
        #pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
          int i_each = threadIdx.x + slot * blockDim.x;
          if (i_each < 64) {
            int j = i_each;
            xs_next[slot] = x[c + j + i];
          }
        }
        for (int k = 0; k < 64; ++k)
          acc += xs[k];
        __syncthreads();
        #pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
          int i_each = threadIdx.x + slot * blockDim.x;
          if (i_each < 64) {
            int j = i_each;
            xs[j] = xs_next[slot];
          }
        }
        // What has not been fetched ahead.
        for (int i_each = threadIdx.x + 2 * blockDim.x; i_each < 64; i_each += blockDim.x) { int j = i_each;
            xs[j] = x[c + j + i]; }
        __syncthreads();
      }
      for (int k = 0; k < 64; ++k)
        acc += xs[k];
    }
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
  // pipelinify: ldg-single, 1 stage, source 7381cdca
  {
    int c = 0;
    if (c < d) {
      for (int i_each = threadIdx.x; i_each < i; i_each += blockDim.x) { int j = i_each; xs[j] = x[c + j]; }
      __syncthreads();
      // Main loop: fetch the next tile while computing on this one.
      for (c += 64; c < d; c += 64) {
        float xs_next[2];
        #pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
          int i_each = threadIdx.x + slot * blockDim.x;
          if (i_each < i) {
            int j = i_each;
            xs_next[slot] = x[c + j];
          }
        }
        for (int k = 0; k < 64; ++k)
          acc += xs[k];
        __syncthreads();
        #pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
          int i_each = threadIdx.x + slot * blockDim.x;
          if (i_each < i) {
            int j = i_each;
            xs[j] = xs_next[slot];
          }
        }
        // What has not been fetched ahead.
        for (int i_each = threadIdx.x + 2 * blockDim.x; i_each < i; i_each += blockDim.x) { int j = i_each;
            xs[j] = x[c + j]; }
        __syncthreads();
      }
      for (int k = 0; k < 64; ++k)
        acc += xs[k];
    }
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
  // pipelinify: ldg-single, 1 stage, source 1e8a99c2
  {
    int c = 0;
    if (c < d) {
      for (int i_each = threadIdx.x; i_each < 64; i_each += blockDim.x) { int j = i_each; xs[j] = x[AT]; }
      __syncthreads();
      // Main loop: fetch the next tile while computing on this one.
      for (c += 64; c < d; c += 64) {
        float xs_next[2];
        #pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
          int i_each = threadIdx.x + slot * blockDim.x;
          if (i_each < 64) {
            int j = i_each;
            xs_next[slot] = x[AT];
          }
        }
        for (int k = 0; k < 64; ++k)
          acc += xs[k];
        __syncthreads();
        #pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
          int i_each = threadIdx.x + slot * blockDim.x;
          if (i_each < 64) {
            int j = i_each;
            xs[j] = xs_next[slot];
          }
        }
        // What has not been fetched ahead.
        for (int i_each = threadIdx.x + 2 * blockDim.x; i_each < 64; i_each += blockDim.x) { int j = i_each;
            xs[j] = x[AT]; }
        __syncthreads();
      }
      for (int k = 0; k < 64; ++k)
        acc += xs[k];
    }
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
  // pipelinify: ldg-single, 1 stage, source c32fe53a
  {
    int c = 0;
    if (c < d) {
      {
        int n = 128;
        for (int i = (n /= 2, threadIdx.x); i < n; i += blockDim.x) { int j = i; xs[j] = x[c + j]; }
      }
      __syncthreads();
      // Main loop: fetch the next tile while computing on this one.
      for (c += 64; c < d; c += 64) {
        float xs_next[8];
        int n = 128;
        #pragma unroll
        for (int i = (n /= 2, threadIdx.x), slot = 0; slot < 8 && i < n; i += blockDim.x, ++slot) {
          int j = i;
          xs_next[slot] = x[c + j];
        }
        for (int k = 0; k < 64; ++k)
          acc += xs[k];
        __syncthreads();
        {
          int n = 128;
          {
            int i = (n /= 2, threadIdx.x);
            #pragma unroll
            for (int slot = 0; slot < 8 && i < n; i += blockDim.x, ++slot) {
              int j = i;
              xs[j] = xs_next[slot];
            }
            for (; i < n; i += blockDim.x)
            { int j = i; xs[j] = x[c + j]; }
          }
        }
        __syncthreads();
      }
      for (int k = 0; k < 64; ++k)
        acc += xs[k];
    }
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
  // pipelinify: ldg-single, 1 stage, source f39d2d47
  {
    int c = 0;
    if (c < d) {
      for (int i_each = threadIdx.x; i_each < 64; i_each += blockDim.x) { int i = i_each;
        xs[i] = x[c + i];
        i += 32;
      }
      __syncthreads();
      // Main loop: fetch the next tile while computing on this one.
      for (c += 64; c < d; c += 64) {
        float xs_next[2];
        #pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
          int i_each = threadIdx.x + slot * blockDim.x;
          if (i_each < 64) {
            int i = i_each;
            xs_next[slot] = x[c + i];
            i += 32;
          }
        }
        for (int k = 0; k < 64; ++k)
          acc += xs[k];
        __syncthreads();
        #pragma unroll
        for (int slot = 0; slot < 2; ++slot) {
          int i_each = threadIdx.x + slot * blockDim.x;
          if (i_each < 64) {
            int i = i_each;
            xs[i] = xs_next[slot];
            i += 32;
          }
        }
        // What has not been fetched ahead.
        for (int i_each = threadIdx.x + 2 * blockDim.x; i_each < 64; i_each += blockDim.x) { int i = i_each;
          xs[i] = x[c + i];
          i += 32;
        }
        __syncthreads();
      }
      for (int k = 0; k < 64; ++k)
        acc += xs[k];
    }
  }
  out[threadIdx.x] = acc * n;
}
