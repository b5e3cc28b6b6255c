// Dense layer for one input vector: a thread per output, the input staged blockDim.x values at a time through __ldg.
#include <cuda_runtime.h>

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
  __shared__ float s_in_stage[2][BLOCK];
  const unsigned o = blockIdx.x * blockDim.x + threadIdx.x;
  float acc = o < n_out ? __ldg(bias + o) : 0.0f;

  // pipelinify: ldg, 2 stages, source 362f318f
  unsigned base = 0;
  unsigned int base_tile = base;
  if (base < n_in) {
    int stage = 0;
    auto compute_tile = [&]() {
      if (o < n_out) {
        const unsigned count = n_in - base_tile < BLOCK ? n_in - base_tile : BLOCK;
        for (unsigned i = 0; i < count; ++i)
          acc += s_in_stage[stage][i] * __ldg(weights + (base_tile + i) * n_out + o);
      }
    };
    if (base + threadIdx.x < n_in)
      s_in_stage[0][threadIdx.x] = __ldg(in + base + threadIdx.x);
    else
      s_in_stage[0][threadIdx.x] = 0.0f;
    base += blockDim.x;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (; base < n_in; base += blockDim.x) {
      float s_in_next;
      if (base + threadIdx.x < n_in)
        s_in_next = __ldg(in + base + threadIdx.x);
      else
        s_in_next = 0.0f;
      compute_tile();
      base_tile += blockDim.x;
      stage ^= 1;
      s_in_stage[stage][threadIdx.x] = s_in_next;
      __syncthreads();
    }
    compute_tile();
  }

  if (o < n_out)
    out[o] = acc > 0.0f ? acc : 0.01f * acc;
}

void dense(const float *in, const float *w, const float *b, float *out, unsigned n_in, unsigned n_out)
{
  dense_forward<128><<<(n_out + 127) / 128, 128>>>(in, w, b, out, n_in, n_out);
}
