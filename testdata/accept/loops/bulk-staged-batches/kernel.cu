// Batches that are staged an element a thread: one row for each block; in the second kernel an edge may cut it.
#include <cuda_runtime.h>

// pipelinify: launch smooth_batches
//   sizes    blocks=3 batches=0,1,2,3,4,5,6,9
//   sizes    blocks=1 batches=7
//   target   blocks=264 batches=4096
//   requires blocks > 0
//   grid     blocks
//   block    256
//   out:     out [batches * blocks * 256]
//   in:      in  [batches * blocks * 256]
//   batches: batches
__global__ void __launch_bounds__(256)
smooth_batches(float *__restrict__ out, const float *__restrict__ in, int batches) {
  __shared__ float tile[256];
  for (int batch = 0; batch < batches; ++batch) {
    int at = (batch * gridDim.x + blockIdx.x) * blockDim.x;
    tile[threadIdx.x] = in[at + threadIdx.x];
    __syncthreads();
    float left = tile[threadIdx.x == 0 ? 255 : threadIdx.x - 1];
    float right = tile[threadIdx.x == 255 ? 0 : threadIdx.x + 1];
    out[at + threadIdx.x] = 0.25f * left + 0.5f * tile[threadIdx.x] + 0.25f * right;
    __syncthreads();
  }
}

// pipelinify: launch signal_energy
//   sizes    n=0,1,127,128,129,255,256,300,384,500,512,640,1000
//   target   n=1048576
//   grid     2
//   block    128
//   signal:  in  [n]
//   n:       n
//   energy:  out [256]
__global__ void __launch_bounds__(128) signal_energy(const float *__restrict__ signal, int n,
                                                     float *__restrict__ energy) {
  __shared__ float chunk[128];
  const int tid = threadIdx.x;
  float sum = 0.0f;
  for (int first = 0; first < n; first += 128) {
    chunk[tid] = first + tid < n ? signal[first + tid] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 128; ++i)
      sum += chunk[i] * chunk[(i + tid) % 128];
    __syncthreads();
  }
  energy[blockIdx.x * 128 + tid] = sum;
}
