// A spin before the loop and a fence after it: neither is in the loop.
__global__ void wait_then_sum(volatile const int *go, const float *__restrict__ x,
                              float *__restrict__ y, int *done, int tiles)
{
	__shared__ float s[128];
	float a = 0.f;
	while (*go == 0) { }
	__syncthreads();
	for (int t = 0; t < tiles; t++) {
		s[threadIdx.x] = x[t * 128 + threadIdx.x];
		__syncthreads();
		for (int j = 0; j < 128; j++)
			a += s[j] / (float)(1 + ((j + threadIdx.x) & 31));
		__syncthreads();
	}
	y[blockIdx.x * 128 + threadIdx.x] = a;
	__threadfence();
	if (threadIdx.x == 0) *done = 1;
}

// Here the wait is for every tile.
__global__ void wait_each_tile(volatile const int *go, const float *__restrict__ x,
                               float *__restrict__ y, int *done, int tiles)
{
	__shared__ float s[128];
	float a = 0.f;
	for (int t = 0; t < tiles; t++) {
		while (*go <= t) { }
		s[threadIdx.x] = x[t * 128 + threadIdx.x];
		__syncthreads();
		for (int j = 0; j < 128; j++)
			a += s[j] / (float)(1 + ((j + threadIdx.x) & 31));
		__syncthreads();
	}
	y[blockIdx.x * 128 + threadIdx.x] = a;
	__threadfence();
	if (threadIdx.x == 0) *done = 1;
}
