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
    for (int k = 0; k < n; ++k) { // one row
        mixed[i] = a[k * 64 + i] * m[k * 64 + i] +
                   a[(k + 1) * 64 + i] *
                       (1.0f - m[k * 64 + i]); // of two
        plain[i] = a[k * 64 +
                     i]; // as it is
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            r += fmaxf(mixed[j] * 0.5f,
                       plain[(i + j) % 64]);
        __syncthreads();
    } // for k
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
	do
	{
		row[threadIdx.x] = a[k * 64 + threadIdx.x];
		__syncthreads();
		for (int j = 0; j < 64; ++j)
		{
			r = r * 0.5f + row[(j + threadIdx.x) % 64];
		}
		__syncthreads();
		++k;
	}
	while (k < n); // the last row
	out[threadIdx.x] = r;
}
