// Integer product of a row block followed by an inclusive scan of the results along the row (tile loop + scan loop).
#include <cuda_runtime.h>

#define WIDTH 64
#define DEPTH 16

// pipelinify: launch matvec_scan
//   sizes    rows=1,2 K=0,1,15,16,17,32,48,64,80
//   sizes    rows=3 K=130
//   target   rows=4096 K=4096
//   grid     rows
//   block    64
//   A:       in  [rows * K]
//   B:       in  [K * 64]
//   out:     out [rows * 64]
//   K:       K
__global__ void __launch_bounds__(WIDTH) matvec_scan(const int *__restrict__ A, const int *__restrict__ B, int *__restrict__ out, int K)
{
	__shared__ int a_s[DEPTH];
	__shared__ int b_s[DEPTH][WIDTH];
	__shared__ int scan[WIDTH];
	int tid = threadIdx.x;
	int sum = 0;

	// pipelinify: ldg-single, 1 stage, source 192e03ed
	int k0 = 0;
	if (k0 < K)
	{
		if (tid < DEPTH)
			a_s[tid] = k0 + tid < K ? A[blockIdx.x * K + k0 + tid] : 0;
		#pragma unroll
		for (int r = 0; r < DEPTH; r++)
			b_s[r][tid] = k0 + r < K ? B[(k0 + r) * WIDTH + tid] : 0;
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (k0 += DEPTH; k0 < K; k0 += DEPTH)
		{
			int a_s_next;
			int b_s_next[DEPTH];
			if (tid < DEPTH)
				a_s_next = k0 + tid < K ? A[blockIdx.x * K + k0 + tid] : 0;
			#pragma unroll
			for (int r = 0; r < DEPTH; r++)
				b_s_next[r] = k0 + r < K ? B[(k0 + r) * WIDTH + tid] : 0;

			#pragma unroll
			for (int k = 0; k < DEPTH; k++)
				sum += a_s[k] * b_s[k][tid];
			__syncthreads();
			if (tid < DEPTH)
				a_s[tid] = a_s_next;
			#pragma unroll
			for (int r = 0; r < DEPTH; r++)
				b_s[r][tid] = b_s_next[r];
			__syncthreads();
		}
		#pragma unroll
		for (int k = 0; k < DEPTH; k++)
			sum += a_s[k] * b_s[k][tid];
		__syncthreads();
	}

	scan[tid] = sum;
	__syncthreads();
	for (int d = 1; d < WIDTH; d *= 2)
	{
		int add = tid >= d ? scan[tid - d] : 0;
		__syncthreads();
		scan[tid] += add;
		__syncthreads();
	}
	out[blockIdx.x * WIDTH + tid] = scan[tid];
}
