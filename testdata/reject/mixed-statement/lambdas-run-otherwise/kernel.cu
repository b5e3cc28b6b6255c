// Lambdas that helpers run: put in the place of the call, some would do something else.
#define UP_TO_N i < n
#define AT (c + j + i)

__device__ int stride = 32;

template <class F>
__device__ void each(int n, F f) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) f(i);
}

template <class F>
__device__ void each_twice(int n, F f) {
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    if (i & 1)
      f(i);
    else
      f(i);
}

template <class F>
__device__ void each_of_half(int n, F f) {
  for (int i = (n /= 2, threadIdx.x); i < n; i += blockDim.x) f(i);
}

template <class F>
__device__ void each_by_stride(int n, F f) {
  for (int i = threadIdx.x; i < n; i += stride) f(i);
}

template <class F>
__device__ void each_up_to(int n, F f) {
  for (int i = threadIdx.x; UP_TO_N; i += blockDim.x) f(i);
}

// The lambda has an i of the caller's, the helper one of its own, which gets another name.
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

// A return ends the lambda, and would end the kernel.
__global__ void leaves_early(const float *__restrict__ x, float *__restrict__ out, int n, int d)
{
  __shared__ float xs[64];
  float acc = 0.f;
  for (int c = 0; c < d; c += 64) {
    each(64, [&](int j) {
      if (j >= n)
        return;
      xs[j] = x[c + j];
    });
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += xs[k];
    __syncthreads();
  }
  out[threadIdx.x] = acc * n;
}

// The helper has the lambda run at two places.
__global__ void run_twice(const float *__restrict__ x, float *__restrict__ out, int n, int d)
{
  __shared__ float xs[64];
  float acc = 0.f;
  for (int c = 0; c < d; c += 64) {
    each_twice(64, [&](int j) { xs[j] = x[c + j]; });
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += xs[k];
    __syncthreads();
  }
  out[threadIdx.x] = acc * n;
}

// The helper changes what it is handed.
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

// The helper names a variable of the file's.
__global__ void stride_in_memory(const float *__restrict__ x, float *__restrict__ out, int n, int d)
{
  __shared__ float xs[64];
  float acc = 0.f;
  for (int c = 0; c < d; c += 64) {
    each_by_stride(64, [&](int j) { xs[j] = x[c + j]; });
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += xs[k];
    __syncthreads();
  }
  out[threadIdx.x] = acc * n;
}

// A macro's body has the helper's parameter.
__global__ void bound_by_macro(const float *__restrict__ x, float *__restrict__ out, int n, int d)
{
  __shared__ float xs[64];
  float acc = 0.f;
  for (int c = 0; c < d; c += 64) {
    each_up_to(64, [&](int j) { xs[j] = x[c + j]; });
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      acc += xs[k];
    __syncthreads();
  }
  out[threadIdx.x] = acc * n;
}

// The lambda changes its own index, the helper's loop goes on.
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
