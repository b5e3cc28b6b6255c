// Rows of 4-bit weights times rows of 8-bit activations. A block of 64 activations fills the
// tile in two parts of 32 words; where a word goes is its number within the whole block, less
// what is ahead of the part. The same of a list of offsets with an offset for each of its
// parts, in numbers with a sign.
#include <cuda_runtime.h>

#define WARP 32

// pipelinify: launch q4_rows<8, 4, 2>
//   sizes    blocks=0,1,2,3,5 cols=9
//   sizes    blocks=7 cols=5
//   target   blocks=512 cols=4096
//   grid     3
//   block    32, 4
//   weights: in  [3 * blocks * 32]
//   acts:    in  [cols * blocks * 64]
//   out:     out [3 * 8 * 32]
//   blocks:  blocks
//   cols:    cols
template <int ROWS, int WARPS, int PARTS>
__global__ void __launch_bounds__(WARP * WARPS)
    q4_rows(const int *__restrict__ weights, const int *__restrict__ acts, float *__restrict__ out,
            const int blocks, const int cols) {
  __shared__ int tile[ROWS * WARP];
  int sums[ROWS / WARPS] = {0};
  for (int b = 0; b < blocks; ++b) {
    const int packed = weights[(blockIdx.x * blocks + b) * WARP + threadIdx.x];
    for (int part = 0; part < PARTS; ++part) {
      const auto word = part * WARP + threadIdx.x;
#pragma unroll
      for (int i = 0; i < ROWS; i += WARPS) {
        const int col = min(blockIdx.x * ROWS + threadIdx.y + i, cols - 1);
        const int place = (threadIdx.y + i) * WARP + word % WARP;
        tile[place] = acts[(col * blocks + b) * (PARTS * WARP) + word];
      }
      __syncthreads();
      const int four = part ? packed >> 4 & 0x0f0f0f0f : packed & 0x0f0f0f0f;
      for (int k = 0; k < WARP; ++k) {
        const int w = __shfl_sync(0xffffffffu, four, k);
#pragma unroll
        for (int i = 0; i < ROWS; i += WARPS)
          sums[i / WARPS] = __dp4a(w, tile[(threadIdx.y + i) * WARP + (k + threadIdx.x) % WARP], sums[i / WARPS]);
      }
      __syncthreads();
    }
  }
  for (int i = 0; i < ROWS; i += WARPS)
    out[(blockIdx.x * ROWS + threadIdx.y + i) * WARP + threadIdx.x] = sums[i / WARPS];
}

// pipelinify: launch windowed_sums
//   sizes    n=0,1,63,64,65,128,200,256
//   sizes    n=333
//   target   n=1048576
//   grid     2
//   block    64
//   x:       in  [n]
//   y:       out [128]
//   n:       n
__global__ void __launch_bounds__(64)
    windowed_sums(const float *__restrict__ x, float *__restrict__ y, int n) {
  __shared__ float window[64];
  const int lane = (int)threadIdx.x;
  float sum = 0.0f;
  for (int first = -64; first + 64 < n; first += 64) {
    const int at = first + 64 + lane;
    window[at & 63] = at < n ? x[at] : 0.0f;
    __syncthreads();
    for (int k = 0; k < 64; ++k)
      sum += window[k] * (float)((lane + k) % 5);
    __syncthreads();
  }
  y[blockIdx.x * 64 + lane] = sum;
}
