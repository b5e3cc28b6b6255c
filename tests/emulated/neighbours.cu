// Three kernels whose arrays lie side by side in the emulator's memory, as they
// do on no device. MUTANT: one of them goes on into its neighbour's.
#ifndef MUTANT
#define MUTANT 0
#endif
#define PAST(n) ((n) ? 64 : 0)

// pipelinify: launch turn
//   sizes N=64
//   grid 1
//   block 64
//   in: in [N]
//   out: out [N]
// pipelinify: launch lab::turn_all<float>
//   sizes N=64
//   grid 1
//   block 64
//   in: in [N]
//   same: in [N]
//   out: out [N]
// pipelinify: launch turn_last
//   sizes N=64
//   grid 1
//   block 64
//   in: in [N]
//   out: out [N]
static __device__ float by_helper(const float *in, int past) {
  __shared__ float own[64];
  own[threadIdx.x + past] = in[threadIdx.x];
  __syncthreads();
  return own[63 - threadIdx.x + past];
}

__global__ void turn(const float *in, float *out) {
  __shared__ float first[64];
  first[threadIdx.x + PAST(MUTANT == 1)] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = first[63 - threadIdx.x + PAST(MUTANT == 1)] + by_helper(in, 0);
}

namespace lab {
template <class T>
__global__ void turn_all(const T *in, const T *same, T *out) {
  __shared__ T second[64];
  second[threadIdx.x + PAST(MUTANT == 2)] = in[threadIdx.x] + same[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = second[63 - threadIdx.x + PAST(MUTANT == 2)] + by_helper(in, 0);
}
} // namespace lab

static __global__ void turn_last(const float *in, float *out) {
  __shared__ float third[64];
  third[threadIdx.x + PAST(MUTANT == 3)] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = third[63 - threadIdx.x + PAST(MUTANT == 3)] + by_helper(in, 0);
}
