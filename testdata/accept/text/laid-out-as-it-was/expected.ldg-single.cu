// Values of several lines that are lined up, comments behind them and behind the loop, a do loop
// whose condition has a line of its own.

// pipelinify: launch blend
//   sizes n=0,1,2,5
//   grid  1
//   block 64
//   a:   in  [n * 64 + 64] range(-1, 1)
//   m:   in  [n * 64 + 64] range(-1, 1)
//   out: out [64]
//   n:   n
__global__ void blend(const float *__restrict__ a, const float *__restrict__ m,
                      float *__restrict__ out, int n)
{
    __shared__ float mixed[64], plain[64];
    int i = threadIdx.x;
    float r = 0;
    // pipelinify: ldg-single, 1 stage, source 2e342bb0
    int k = 0;
    if (k < n) {
        mixed[i] = a[k * 64 + i] * m[k * 64 + i] +
                   a[(k + 1) * 64 + i] *
                       (1.0f - m[k * 64 + i]); // of two
        plain[i] = a[k * 64 +
                     i]; // as it is
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) { // one row
            float mixed_next = a[k * 64 + i];
            float mixed_next2 = m[k * 64 + i];
            float mixed_next3 = a[(k + 1) * 64 + i];
            float mixed_next4 = m[k * 64 + i];
            float plain_next = a[k * 64 +
                                 i]; // as it is
            for (int j = 0; j < 64; ++j)
                r += fmaxf(mixed[j] * 0.5f,
                           plain[(i + j) % 64]);
            __syncthreads();
            mixed[i] = mixed_next * mixed_next2 +
                       mixed_next3 *
                           (1.0f - mixed_next4); // of two
            plain[i] = plain_next;
            __syncthreads();
        } // for k
        for (int j = 0; j < 64; ++j)
            r += fmaxf(mixed[j] * 0.5f,
                       plain[(i + j) % 64]);
    }
    out[i] = r;
}

// pipelinify: launch at_least_once
//   sizes n=1,2,5
//   grid  1
//   block 64
//   a:   in  [n * 64 + 64] range(-1, 1)
//   out: out [64]
//   n:   n
__global__ void at_least_once(const float *__restrict__ a, float *__restrict__ out, int n)
{
	__shared__ float row[64];
	int k = 0;
	float r = 0;
	// pipelinify: ldg-single, 1 stage, source 1ab6a903
	row[threadIdx.x] = a[k * 64 + threadIdx.x];
	++k;
	__syncthreads();
	// Main loop: fetch the next tile while computing on this one.
	while (k < n)
	{
		float row_next = a[k * 64 + threadIdx.x];
		for (int j = 0; j < 64; ++j)
		{
			r = r * 0.5f + row[(j + threadIdx.x) % 64];
		}
		__syncthreads();
		row[threadIdx.x] = row_next;
		++k;
		__syncthreads();
	} // the last row
	for (int j = 0; j < 64; ++j)
	{
		r = r * 0.5f + row[(j + threadIdx.x) % 64];
	}
	out[threadIdx.x] = r;
}
