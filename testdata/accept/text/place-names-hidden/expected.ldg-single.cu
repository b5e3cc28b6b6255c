// Names for a place in a tile: between them and the loop, what they are made from gets another
// meaning, so that they cannot be made anew for each stage.
#include <cuda_runtime.h>

// pipelinify: launch hidden_by_loop
//   sizes  n=0,1,31,32,33,64,96,130
//   target n=65536
//   grid   1
//   block  32
//   a:   in  [n + 32] random
//   out: out [32]
//   n:   n
__global__ __launch_bounds__(32) void hidden_by_loop(const float *__restrict__ a, float *__restrict__ out, int n) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  int k = 1;
  float *from_one = s + k;
  float sum = 0.0f;
  for (int k = 0; k < 3; k++) {
    sum *= 2.0f;
    // pipelinify: ldg-single, 1 stage, source 268c4080
    int c = 0;
    if (c < n) {
      s[t] = a[c + t];
      __syncthreads();
      // Main loop: fetch the next tile while computing on this one.
      for (c += 32; c < n; c += 32) {
        float s_next = a[c + t];
        for (int j = 0; j < 24; ++j) sum += from_one[j];
        __syncthreads();
        s[t] = s_next;
        __syncthreads();
      }
      for (int j = 0; j < 24; ++j) sum += from_one[j];
      __syncthreads();
    }
  }
  out[t] = sum;
}

struct Loader {
  float *tile;
  const float *source;
  int shift;
  __device__ Loader(float *tile_, const float *source_, int shift_)
      : tile(tile_), source(source_), shift(shift_) {}
  __device__ void load(int c) { tile[threadIdx.x] = source[c + threadIdx.x + shift]; }

  __device__ auto load_fetch(int c) {
    float tile_next = source[c + threadIdx.x + shift];
    return tile_next;
  }

  __device__ void load_store(float tile_next) {
    tile[threadIdx.x] = tile_next;
  }
  __device__ float at(int j) const { return tile[j]; }
};

// pipelinify: launch hidden_by_block
//   sizes  n=0,1,31,32,33,64,96,130
//   target n=65536
//   grid   1
//   block  32
//   a:   in  [n + 64] random
//   b:   in  [n + 64] random
//   out: out [32]
//   n:   n
__global__ __launch_bounds__(32) void hidden_by_block(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int n) {
  __shared__ float s[32];
  float sum = 0.0f;
  Loader loader(s, a, 1);
  {
    const float *a = b;
    if (n > 0) sum = a[0];
    // pipelinify: ldg-single, 1 stage, source ebf498ae
    int c = 0;
    if (c < n) {
      loader.load(c);
      __syncthreads();
      // Main loop: fetch the next tile while computing on this one.
      for (c += 32; c < n; c += 32) {
        auto s_next = loader.load_fetch(c);
        for (int j = 0; j < 32; ++j) sum += loader.at(j) * (j + 1);
        __syncthreads();
        loader.load_store(s_next);
        __syncthreads();
      }
      for (int j = 0; j < 32; ++j) sum += loader.at(j) * (j + 1);
      __syncthreads();
    }
  }
  out[threadIdx.x] = sum;
}
