__global__ void fir_row(const short *__restrict__ samples, const short *__restrict__ taps,
                        int *__restrict__ out, int ntaps)
{
	__shared__ short coef[64];
	const int tid = threadIdx.x;
	int sum = 0;

	for (int t0 = 0; t0 < ntaps; t0 += 64) {
		coef[tid] = taps[t0 + tid];
		for (int t = 0; t < 64; t++)
			sum += coef[t] * samples[blockIdx.x * 64 + tid + t0 + t];
		__syncthreads();
	}
	out[blockIdx.x * 64 + tid] = sum;
}
