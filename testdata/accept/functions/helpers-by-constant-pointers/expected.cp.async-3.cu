// Rows of packed weights times a vector. What a format's rows are unpacked and summed
// by is a pointer among its traits, which never changes.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
  constexpr int stages = 3;
  __shared__ float part_stage[stages][4 * kThreads];
  constexpr formats::dot_t dot = Format::dot;
  const int row = blockIdx.x * kThreads + threadIdx.x;
  float sum = 0.f;
  // pipelinify: cp.async, 3 stages, source 6ceab6d2
  static_assert(__is_same(Format, Signed8) ||
                __is_same(Format, Halved8),
                "pipelined for this Format alone: run pipelinify again for another");
  int first_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (first_load < words) {
      for (int i = 0; i < 4; ++i)
        __pipeline_memcpy_async(&part_stage[load_stage][i * kThreads + threadIdx.x],
                                &v[4 * first_load + i * kThreads + threadIdx.x], sizeof(float));
      first_load += kThreads;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int first = 0; first < words; first += kThreads) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);
    for (int k = 0; k < kThreads; ++k)
      sum += dot(w[row * words + first + k], part_stage[stage] + 4 * k);
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);
  y[row] = sum;
}

__global__ void scaled_rows(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float tile[kThreads];
  constexpr formats::fill_t fill = formats::fill_scaled;
  const formats::fill_t again = fill;
  float sum = 0.f;
  for (int first = 0; first < n; first += kThreads) {
    again(x, tile, first);
    __syncthreads();
    for (int k = 0; k < kThreads; ++k)
      sum += tile[k] * tile[(k + threadIdx.x) % kThreads];
    __syncthreads();
  }
  y[threadIdx.x] = sum;
}

void all_rows(const int *w, const float *v, float *y, int words) {
  row_times_vector<Signed8><<<3, kThreads>>>(w, v, y, words);
  row_times_vector<Halved8><<<3, kThreads>>>(w, v, y + 3 * kThreads, words);
}
