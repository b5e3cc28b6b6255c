// Integer product of a row block followed by an inclusive scan of the results along the row (tile loop + scan loop).
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
	constexpr int stages = 3;
	__shared__ int a_s_stage[stages][DEPTH];
	__shared__ int b_s_stage[stages][DEPTH][WIDTH];
	__shared__ int scan[WIDTH];
	int tid = threadIdx.x;
	int sum = 0;

	// pipelinify: cp.async, 3 stages, source 192e03ed
	int k0_load = 0, stage = 0;
	// Starts to copy the next tile to a stage, if there is one.
	auto copy_tile = [&](int load_stage)
	{
		if (k0_load < K)
		{
			if (tid < DEPTH)
				__pipeline_memcpy_async(&a_s_stage[load_stage][tid], &A[blockIdx.x * K + k0_load + tid], sizeof(int),
				                        (k0_load + tid < K) ? 0 : sizeof(int));
			#pragma unroll
			for (int r = 0; r < DEPTH; r++)
				__pipeline_memcpy_async(&b_s_stage[load_stage][r][tid], &B[(k0_load + r) * WIDTH + tid], sizeof(int),
				                        (k0_load + r < K) ? 0 : sizeof(int));
			k0_load += DEPTH;
		}
		__pipeline_commit();
	};
	for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
		copy_tile(load_stage);
	// Main loop: stages - 1 tiles are in flight while computing on one.
	for (int k0 = 0; k0 < K; k0 += DEPTH)
	{
		__pipeline_wait_prior(stages - 2);
		__syncthreads();
		copy_tile(stage == 0 ? stages - 1 : stage - 1);

		#pragma unroll
		for (int k = 0; k < DEPTH; k++)
			sum += a_s_stage[stage][k] * b_s_stage[stage][k][tid];
		stage = stage == stages - 1 ? 0 : stage + 1;
	}
	__pipeline_wait_prior(0);
	__syncthreads();

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
