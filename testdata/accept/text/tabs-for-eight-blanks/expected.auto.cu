// Indented by two and four blanks, and by a tab for each eight of them, as Emacs does by itself.
#include <cuda_pipeline.h>

#define CHUNK 8

// pipelinify: launch emission_scores
//   sizes T=0,1,7,8,9,33 V=5,128 L=1,64
//   target T=1024 V=128 L=64
//   grid 1
//   block 64
//   logp: in [T * V] range(-4, 0)
//   labels: in [L] range(0, 4)
//   score: inout [L] range(0, 1)
//   T: T
//   V: V
//   L: L
__global__ void
emission_scores (const float *__restrict__ logp, const int *__restrict__ labels,
		 float *__restrict__ score, int T, int V, int L)
{
  constexpr int stages = 8;
  __shared__ float rows_stage[stages][CHUNK][128];
  int l = threadIdx.x;
  int lab = l < L ? labels[l] : 0;
  float s = 0.0f;

  // pipelinify: cp.async, 8 stages, source 4c93d242
  int t0_load = 0, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage)
    {
      if (t0_load < T)
        {
          int len = T - t0_load < CHUNK ? T - t0_load : CHUNK;

          /* Rows of the log probabilities,
             as many as are left.  */
          for (int t = 0; t < len; t++)
            {
              for (int v = threadIdx.x; v < V; v += blockDim.x)
                __pipeline_memcpy_async(&rows_stage[load_stage][t][v], &logp[(t0_load + t) * V + v], sizeof(float));	/* V <= 128 */
            }
          t0_load += CHUNK;
        }
      __pipeline_commit();
    };
  for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
    copy_tile(load_stage);
  // Main loop: stages - 1 tiles are in flight while computing on one.
  for (int t0 = 0; t0 < T; t0 += CHUNK)
    {
      __pipeline_wait_prior(stages - 2);
      __syncthreads ();
      copy_tile(stage == 0 ? stages - 1 : stage - 1);
      int len = T - t0 < CHUNK ? T - t0 : CHUNK;

      for (int t = 0; t < len; t++)
        s += rows_stage[stage][t][lab];
      stage = stage == stages - 1 ? 0 : stage + 1;
    }
  __pipeline_wait_prior(0);
  if (l < L)
    score[l] = s;
}

__device__ inline float weighted(const float *row, const float *taps, int n)
{
    float sum = 0.f;
    for (int k = 0; k < n; k++) {
	if (taps[k] != 0.f)
	    sum += row[k] * taps[k];
    }
    return sum;
}

// pipelinify: launch filter_bank
//   sizes banks=0,1,2,5
//   target banks=512
//   grid 2
//   block 64
//   x: in [banks * 128] range(-1, 1)
//   taps: in [banks * 8] range(-1, 1)
//   y: out [2 * 64]
//   banks: banks
__global__ void filter_bank(const float *__restrict__ x, const float *__restrict__ taps, float *__restrict__ y, int banks)
{
    constexpr int stages = 8;
    __shared__ __align__(16) float xs_stage[stages][72], hs_stage[stages][8];
    float acc = 0.f;

    // pipelinify: cp.async, 8 stages, source abfc0cbb
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 64 && (size_t)x % 16 == 0;
    int b_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (b_load < banks) {
            if (joined) {
                for (int i = 4 * threadIdx.x; i < 72; i += 4 * 64) {
                    int at = blockIdx.x * 64 + i;
                    __pipeline_memcpy_async(&xs_stage[load_stage][i], &x[b_load * 128 + at], 16, (at < 128) ? 0 : 16);
                }
            } else {
                for (int i = threadIdx.x; i < 72; i += 64) {
                    int at = blockIdx.x * 64 + i;
                    if (at < 128)
                        __pipeline_memcpy_async(&xs_stage[load_stage][i], &x[b_load * 128 + at], sizeof(float));
                    else
                        xs_stage[load_stage][i] = 0.f;	// behind the end
                }
            }
            if (threadIdx.x < 8)
                __pipeline_memcpy_async(&hs_stage[load_stage][threadIdx.x], &taps[b_load * 8 + threadIdx.x],
                                        sizeof(float));
            b_load++;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int b = 0; b < banks; b++) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        acc += weighted(xs_stage[stage] + threadIdx.x, hs_stage[stage], 8);
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[blockIdx.x * 64 + threadIdx.x] = acc;
}

void run(const float *logp, const int *labels, float *score, int T, const float *x, const float *taps, float *y, int b)
{
    emission_scores<<<1, 64>>>(logp, labels, score, T, 128, 64);
    filter_bank<<<2, 64>>>(x, taps, y, b);
}
