// Dense layer for one input vector: a thread per output, the input staged blockDim.x values at a time through __ldg.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch dense_forward<128>
//   sizes    n_in=0,1,127,128,129,256,384,512,600 n_out=128
//   sizes    n_in=300 n_out=1,200
//   target   n_in=16384 n_out=8192
//   requires n_out > 0
//   grid     (n_out + 127) / 128
//   block    128
//   in:      in  [n_in]
//   weights: in  [n_in * n_out]
//   bias:    in  [n_out]
//   out:     out [n_out]
//   n_in:    n_in
//   n_out:   n_out
template <unsigned int BLOCK>
__global__ void __launch_bounds__(BLOCK)
dense_forward(const float *__restrict__ in, const float *__restrict__ weights,
              const float *__restrict__ bias, float *__restrict__ out, unsigned n_in, unsigned n_out)
{
  constexpr int stages = 8;
  __shared__ float s_in_stage[stages][BLOCK];
  const unsigned o = blockIdx.x * blockDim.x + threadIdx.x;
  float acc = o < n_out ? __ldg(bias + o) : 0.0f;

  // pipelinify: cp.async, 8 stages, source 362f318f
  unsigned base_load = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (base_load < n_in) {
      if (base_load + threadIdx.x < n_in)
        __pipeline_memcpy_async(&s_in_stage[load_stage][threadIdx.x], in + base_load + threadIdx.x, sizeof(float));
      else
        s_in_stage[load_stage][threadIdx.x] = 0.0f;
      base_load += blockDim.x;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  int stage = 0;
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (unsigned base = 0; base < n_in; base += blockDim.x) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);

    if (o < n_out) {
      const unsigned count = n_in - base < BLOCK ? n_in - base : BLOCK;
      for (unsigned i = 0; i < count; ++i)
        acc += s_in_stage[stage][i] * __ldg(weights + (base + i) * n_out + o);
    }
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);

  if (o < n_out)
    out[o] = acc > 0.0f ? acc : 0.01f * acc;
}

void dense(const float *in, const float *w, const float *b, float *out, unsigned n_in, unsigned n_out)
{
  dense_forward<128><<<(n_out + 127) / 128, 128>>>(in, w, b, out, n_in, n_out);
}
