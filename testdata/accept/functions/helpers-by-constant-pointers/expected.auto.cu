// Rows of packed weights times a vector. What a format's rows are unpacked and summed
// by is a pointer among its traits, which never changes.
#include <cuda_runtime.h>

constexpr int kThreads = 128;

// pipelinify: launch row_times_vector<Signed8>
//   sizes    words=0,128,256,640
//   block    128
//   grid     3
//   w:       in [384 * words] random
//   v:       in [4 * words] random
//   y:       out [384]
//   words:   words
// pipelinify: launch row_times_vector<Halved8>
//   sizes    words=0,128,384
//   block    128
//   grid     3
//   w:       in [384 * words] random
//   v:       in [4 * words] random
//   y:       out [384]
//   words:   words
// pipelinify: launch scaled_rows
//   sizes    n=0,128,256,512
//   block    128
//   x:       in [n] random
//   y:       out [128]
//   n:       n

namespace formats {
typedef float (*dot_t)(int packed, const float *v);
typedef void (*fill_t)(const float *v, float *tile, int first);

__device__ __forceinline__ float dot_signed(int packed, const float *v) {
  float sum = 0.f;
  for (int i = 0; i < 4; ++i)
    sum += static_cast<signed char>(packed >> (8 * i)) * v[i];
  return sum;
}

__device__ __forceinline__ float dot_halved(int packed, const float *v) {
  float sum = 0.f;
  for (int i = 0; i < 4; ++i)
    sum += 0.5f * ((packed >> (8 * i)) & 0xff) * v[i];
  return sum;
}

__device__ __forceinline__ void fill_scaled(const float *v, float *tile, int first) {
  tile[threadIdx.x] = 0.25f * v[first + threadIdx.x];
}

__device__ __forceinline__ auto fill_scaled_fetch(const float *v, int first) {
  float tile_next = v[first + threadIdx.x];
  return tile_next;
}

__device__ __forceinline__ void fill_scaled_store(float *tile, float tile_next) {
  tile[threadIdx.x] = 0.25f * tile_next;
}
}  // namespace formats

struct Signed8 {
  static constexpr formats::dot_t dot = formats::dot_signed;
};

struct Halved8 {
  static constexpr formats::dot_t dot{&formats::dot_halved};
};

template <class Format>
__global__ void row_times_vector(const int *__restrict__ w, const float *__restrict__ v,
                                 float *__restrict__ y, int words) {
  __shared__ float part[4 * kThreads];
  constexpr formats::dot_t dot = Format::dot;
  const int row = blockIdx.x * kThreads + threadIdx.x;
  float sum = 0.f;
  for (int first = 0; first < words; first += kThreads) {
    for (int i = 0; i < 4; ++i)
      part[i * kThreads + threadIdx.x] = v[4 * first + i * kThreads + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < kThreads; ++k)
      sum += dot(w[row * words + first + k], part + 4 * k);
    __syncthreads();
  }
  y[row] = sum;
}

__global__ void scaled_rows(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile_stage[2][kThreads];
  constexpr formats::fill_t fill = formats::fill_scaled;
  const formats::fill_t again = fill;
  float sum = 0.f;
  // pipelinify: ldg, 2 stages, source dcc04690
  int first = 0, stage = 0;
  if (first < n) {
    again(x, tile_stage[0], first);
    first += kThreads;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (; first < n; first += kThreads) {
      auto tile_next = formats::fill_scaled_fetch(x, first);
      for (int k = 0; k < kThreads; ++k)
        sum += tile_stage[stage][k] * tile_stage[stage][(k + threadIdx.x) % kThreads];
      stage ^= 1;
      formats::fill_scaled_store(tile_stage[stage], tile_next);
      __syncthreads();
    }
    for (int k = 0; k < kThreads; ++k)
      sum += tile_stage[stage][k] * tile_stage[stage][(k + threadIdx.x) % kThreads];
  }
  y[threadIdx.x] = sum;
}

void all_rows(const int *w, const float *v, float *y, int words) {
  row_times_vector<Signed8><<<3, kThreads>>>(w, v, y, words);
  row_times_vector<Halved8><<<3, kThreads>>>(w, v, y + 3 * kThreads, words);
}
