// Indented by two and four blanks, and by a tab for each eight of them, as Emacs does by itself.
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
  __shared__ float rows[CHUNK][128];
  int l = threadIdx.x;
  int lab = l < L ? labels[l] : 0;
  float s = 0.0f;

  // pipelinify: ldg-single, 1 stage, source 4c93d242
  int t0 = 0, t0_tile = t0;
  if (t0 < T)
    {
      auto compute_tile = [&]()
        {
          int len = T - t0_tile < CHUNK ? T - t0_tile : CHUNK;

          for (int t = 0; t < len; t++)
            s += rows[t][lab];
        };
      {
        int len = T - t0 < CHUNK ? T - t0 : CHUNK;

        /* Rows of the log probabilities,
           as many as are left.  */
        for (int t = 0; t < len; t++)
          for (int v = threadIdx.x; v < V; v += blockDim.x)
            rows[t][v] = logp[(t0 + t) * V + v];	/* V <= 128 */
      }
      __syncthreads ();
      // Main loop: fetch the next tile while computing on this one.
      for (t0 += CHUNK; t0 < T; t0 += CHUNK)
        {
          float rows_next[4][2];
          int len = T - t0 < CHUNK ? T - t0 : CHUNK;

          /* Rows of the log probabilities,
             as many as are left.  */
          #pragma unroll
          for (int t = 0; t < 4; ++t)
            {
              if (t < len)
                {
                  #pragma unroll
                  for (int slot = 0; slot < 2; ++slot)
                    {
                      int v = threadIdx.x + slot * blockDim.x;
                      if (v < V)
                        rows_next[t][slot] = logp[(t0 + t) * V + v];	/* V <= 128 */
                    }
                }
            }
          compute_tile();
          t0_tile += CHUNK;
          __syncthreads ();
          #pragma unroll
          for (int t = 0; t < 4; ++t)
            {
              if (t < len)
                {
                  #pragma unroll
                  for (int slot = 0; slot < 2; ++slot)
                    {
                      int v = threadIdx.x + slot * blockDim.x;
                      if (v < V)
                        rows[t][v] = rows_next[t][slot];
                    }
                  // What has not been fetched ahead.
                  for (int v = threadIdx.x + 2 * blockDim.x; v < V; v += blockDim.x)
                    rows[t][v] = logp[(t0 + t) * V + v];
                }
            }
          // What has not been fetched ahead.
          for (int t = 4; t < len; t++)
              for (int v = threadIdx.x; v < V; v += blockDim.x)
                rows[t][v] = logp[(t0 + t) * V + v];
          __syncthreads ();
        }
      compute_tile();
    }
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
    __shared__ float xs[72], hs[8];
    float acc = 0.f;

    // pipelinify: ldg-single, 1 stage, source abfc0cbb
    int b = 0;
    if (b < banks) {
        for (int i = threadIdx.x; i < 72; i += 64) {
            int at = blockIdx.x * 64 + i;
            if (at < 128)
                xs[i] = x[b * 128 + at];
            else
                xs[i] = 0.f;	// behind the end
        }
        if (threadIdx.x < 8)
            hs[threadIdx.x] = taps[b * 8 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (b++; b < banks; b++) {
            float xs_next[2];
            float hs_next;
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                if (slot < 72 / 64 || i < 72) {
                    int at = blockIdx.x * 64 + i;
                    if (at < 128)
                        xs_next[slot] = x[b * 128 + at];
                    else
                        xs_next[slot] = 0.f;	// behind the end
                }
            }
            if (threadIdx.x < 8)
                hs_next = taps[b * 8 + threadIdx.x];
            acc += weighted(xs + threadIdx.x, hs, 8);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                if (slot < 72 / 64 || i < 72) {
                    xs[i] = xs_next[slot];
                }
            }
            if (threadIdx.x < 8)
                hs[threadIdx.x] = hs_next;
            __syncthreads();
        }
        acc += weighted(xs + threadIdx.x, hs, 8);
    }
    y[blockIdx.x * 64 + threadIdx.x] = acc;
}

void run(const float *logp, const int *labels, float *score, int T, const float *x, const float *taps, float *y, int b)
{
    emission_scores<<<1, 64>>>(logp, labels, score, T, 128, 64);
    filter_bank<<<2, 64>>>(x, taps, y, b);
}
