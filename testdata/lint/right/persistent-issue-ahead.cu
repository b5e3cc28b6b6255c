#include <cuda_pipeline.h>

// Persistent: the pipeline runs on through the work items of a block.
constexpr int NS = 4, CH = 128;

__global__ void __launch_bounds__(CH) persist(const float *__restrict__ in, float *__restrict__ out, int items, int len) {
  __shared__ float s[NS * CH];
  const int per_item = len / CH;
  int mine = 0;
  for (int w = blockIdx.x; w < items; w += gridDim.x)
    ++mine;
  const int total = mine * per_item;
  int fetch_item = blockIdx.x, fetch_chunk = 0, fetched = 0;
  auto issue = [&]() {
    if (fetched < total) {
      __pipeline_memcpy_async(&s[(fetched % NS) * CH + threadIdx.x],
                              in + (size_t)fetch_item * len + fetch_chunk * CH + threadIdx.x, 4);
      if (++fetch_chunk == per_item) {
        fetch_chunk = 0;
        fetch_item += gridDim.x;
      }
    }
    ++fetched;
    __pipeline_commit();
  };
  for (int i = 0; i < NS - 1; ++i)
    issue();
  int used = 0;
  for (int w = blockIdx.x; w < items; w += gridDim.x) {
    float acc = 0.f;
    for (int c = 0; c < per_item; ++c) {
      __pipeline_wait_prior(NS - 2);
      __syncthreads();
      issue();
      const float *cur = &s[(used++ % NS) * CH];
      acc += cur[threadIdx.x ^ 1] - cur[(threadIdx.x + 64) % CH];
    }
    out[(size_t)w * CH + threadIdx.x] = acc;
  }
}

void start(const float *in, float *out, int items, int len) { persist<<<108, CH>>>(in, out, items, len); }
