// Twins: the second one's author left __restrict__ out, and it stores in the loop.
__global__ void prefix_rows_restrict(const float *__restrict__ in, float *__restrict__ out,
                                     int rows)
{
	__shared__ float line[128];
	float sum = 0.f;
	for (int r = 0; r < rows; ++r) {
		line[threadIdx.x] = in[r * 128 + threadIdx.x];
		__syncthreads();
		for (int i = 0; i < 128; ++i)
			sum += line[i] * (i <= (int)threadIdx.x);
		out[r * 128 + threadIdx.x] = sum;
		__syncthreads();
	}
}

__global__ void prefix_rows(const float *in, float *out, int rows)
{
	__shared__ float line[128];
	float sum = 0.f;
	for (int r = 0; r < rows; ++r) {
		line[threadIdx.x] = in[r * 128 + threadIdx.x];
		__syncthreads();
		for (int i = 0; i < 128; ++i)
			sum += line[i] * (i <= (int)threadIdx.x);
		out[r * 128 + threadIdx.x] = sum;
		__syncthreads();
	}
}
