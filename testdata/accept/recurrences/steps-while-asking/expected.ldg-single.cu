#include <cuda_runtime.h>

#define TAPS 48

// Polyphase resampling, newest block of samples first: the loop's test counts the
// blocks down, and the weights of a block go by its number.
// pipelinify: launch polyphase
//   sizes    blocks=0,1,2,3,4,5,9,16 lanes=1,2
//   target   blocks=2000 lanes=2048
//   grid     lanes
//   block    TAPS
//   let      TAPS = 48
//   samples: in  [blocks * TAPS] range(-1, 1)
//   phase:   in  [TAPS * 3] range(-1, 1)
//   fade:    in  [blocks] range(0, 1)
//   out:     out [lanes * TAPS]
//   blocks:  blocks
__global__ void polyphase(const float *__restrict__ samples, const float *__restrict__ phase,
                          const float *__restrict__ fade, float *__restrict__ out, unsigned blocks)
{
  __shared__ float line[TAPS];
  const unsigned tap = threadIdx.x;
  float sum = 0.0f;
  // pipelinify: ldg-single, 1 stage, source 621b1975
  unsigned b = blocks;
  if (b-- > 0) {
    unsigned int b_tile = b;
    auto compute_tile = [&]() {
      float part = 0.0f;
      for (unsigned i = 0; i < TAPS; ++i)
        part += line[i] * phase[(tap + i * 5) % (TAPS * 3)];
      sum += part * fade[b_tile];
    };
    line[tap] = samples[(size_t)b * TAPS + tap];
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    while (b-- > 0) {
      float line_next = samples[(size_t)b * TAPS + tap];
      compute_tile();
      b_tile--;
      __syncthreads();
      line[tap] = line_next;
      __syncthreads();
    }
    compute_tile();
  }
  out[blockIdx.x * TAPS + tap] = sum;
}

// Run lengths of equal symbols in every column; the pass that ends the loop counts
// as well, and the number of passes is written out.
// pipelinify: launch column_runs
//   sizes    rows=0,1,31,32,33,64,96,130 columns=32,64
//   target   rows=65536 columns=4096
//   grid     columns / 32
//   block    32, 4
//   symbols: in  [rows * columns] below(3)
//   longest: out [columns]
//   passes:  out [columns]
//   rows:    rows
//   columns: columns
__global__ void column_runs(const int *__restrict__ symbols, int *__restrict__ longest,
                            int *__restrict__ passes, int rows, int columns)
{
  __shared__ int part[32][33];
  const int column = blockIdx.x * 32 + threadIdx.x, tiles = (rows + 31) / 32;
  int run = 0, best = 0, last = -1, tile = 0;
  const int *from = symbols + column;

  // pipelinify: ldg-single, 1 stage, source 53f65168
  if (tile++ < tiles) {
    int tile_tile = tile;
    auto compute_tile = [&]() {
      const int count = min(32, rows - (tile_tile - 1) * 32);
      for (int r = 0; r < count; ++r) {
        run = part[r][threadIdx.x] == last ? run + 1 : 1;
        last = part[r][threadIdx.x];
        best = max(best, run);
      }
    };
    for (int r = threadIdx.y; r < 32; r += 4)
      part[r][threadIdx.x] = (tile - 1) * 32 + r < rows ? from[r * columns] : -1;
    from += 32 * columns;
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    while (tile++ < tiles) {
      int part_next[8];
      #pragma unroll
      for (int slot = 0; slot < 8; ++slot) {
        int r = threadIdx.y + slot * 4;
        if (r < 32)
          part_next[slot] = (tile - 1) * 32 + r < rows ? from[r * columns] : -1;
      }
      compute_tile();
      tile_tile++;
      __syncthreads();
      #pragma unroll
      for (int slot = 0; slot < 8; ++slot) {
        int r = threadIdx.y + slot * 4;
        if (r < 32)
          part[r][threadIdx.x] = part_next[slot];
      }
      from += 32 * columns;
      __syncthreads();
    }
    compute_tile();
  }

  if (threadIdx.y == 0) {
    longest[column] = best;
    passes[column] = tile;
  }
}
