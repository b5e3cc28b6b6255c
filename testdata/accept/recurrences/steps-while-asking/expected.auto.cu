#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
  for (unsigned b = blocks; b-- > 0;) {
    line[tap] = samples[(size_t)b * TAPS + tap];
    __syncthreads();
    float part = 0.0f;
    for (unsigned i = 0; i < TAPS; ++i)
      part += line[i] * phase[(tap + i * 5) % (TAPS * 3)];
    sum += part * fade[b];
    __syncthreads();
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
  constexpr int stages = 8;
  __shared__ int part_stage[stages][32][33];
  const int column = blockIdx.x * 32 + threadIdx.x, tiles = (rows + 31) / 32;
  int run = 0, best = 0, last = -1, tile = 0;
  const int *from = symbols + column;

  // pipelinify: cp.async, 8 stages, source 53f65168
  int tile_load = tile, stage = 0;
  bool more = tile_load++ < tiles;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage) {
    if (more) {
      for (int r = threadIdx.y; r < 32; r += 4) {
        if ((tile_load - 1) * 32 + r < rows) {
          __pipeline_memcpy_async(&part_stage[load_stage][r][threadIdx.x], &from[r * columns],
                                  sizeof(int));
        } else {
          part_stage[load_stage][r][threadIdx.x] = -1;
        }
      }
      from += 32 * columns;
      more = tile_load++ < tiles;
    }
    __pipeline_commit();
  };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  while (tile++ < tiles) {
    __pipeline_wait_prior(stages - 2);
    __syncthreads();
    copy_tile(stage == 0 ? stages - 1 : stage - 1);

    const int count = min(32, rows - (tile - 1) * 32);
    for (int r = 0; r < count; ++r) {
      run = part_stage[stage][r][threadIdx.x] == last ? run + 1 : 1;
      last = part_stage[stage][r][threadIdx.x];
      best = max(best, run);
    }
    stage = stage == stages - 1 ? 0 : stage + 1;
  }
  __pipeline_wait_prior(0);

  if (threadIdx.y == 0) {
    longest[column] = best;
    passes[column] = tile;
  }
}
