// The object's pointer leads to global memory for one kernel, for the other one to shared memory.
#include <cuda_runtime.h>

#define SPAN 64

struct Signal {
	const float *samples;
	int n;

	__device__ float correlate(const float *__restrict__ weights) const
	{
		__shared__ float part[SPAN];
		float sum = 0.f;
		for (int t = 0; t < n; t += SPAN) {
			part[threadIdx.x] = samples[t + threadIdx.x];
			__syncthreads();
			for (int i = 0; i < SPAN; ++i)
				sum += part[i] * weights[(i + threadIdx.x) % SPAN];
			__syncthreads();
		}
		return sum;
	}
};

__global__ void correlate_rows(const float *__restrict__ rows, const float *__restrict__ w,
			       float *__restrict__ out, int n)
{
	const Signal row{rows + (size_t)blockIdx.x * n, n};
	out[blockIdx.x * SPAN + threadIdx.x] = row.correlate(w);
}

__global__ void correlate_differences(const float *__restrict__ rows, const float *__restrict__ w,
				      float *__restrict__ out, int n)
{
	__shared__ float differences[8 * SPAN];
	for (int i = threadIdx.x; i < 8 * SPAN; i += SPAN)
		differences[i] = i < n ? rows[i + 1] - rows[i] : 0.f;
	__syncthreads();
	const Signal steps{differences, 8 * SPAN};
	out[blockIdx.x * SPAN + threadIdx.x] = steps.correlate(w);
}
