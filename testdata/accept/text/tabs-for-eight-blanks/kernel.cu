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

  for (int t0 = 0; t0 < T; t0 += CHUNK)
    {
      int len = T - t0 < CHUNK ? T - t0 : CHUNK;

      /* Rows of the log probabilities,
	 as many as are left.  */
      for (int t = 0; t < len; t++)
	for (int v = threadIdx.x; v < V; v += blockDim.x)
	  rows[t][v] = logp[(t0 + t) * V + v];	/* V <= 128 */
      __syncthreads ();

      for (int t = 0; t < len; t++)
	s += rows[t][lab];
      __syncthreads ();
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

    for (int b = 0; b < banks; b++) {
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
	acc += weighted(xs + threadIdx.x, hs, 8);
	__syncthreads();
    }
    y[blockIdx.x * 64 + threadIdx.x] = acc;
}

void run(const float *logp, const int *labels, float *score, int T, const float *x, const float *taps, float *y, int b)
{
    emission_scores<<<1, 64>>>(logp, labels, score, T, 128, 64);
    filter_bank<<<2, 64>>>(x, taps, y, b);
}
