// SGEMM, 32x32x16 tile, copy loops that step by blockDim.x; NT layout (B is given as N x K).
#include "cuda_runtime.h"
#include <cuda_pipeline.h>

#define BM 32
#define BN 32
#define BK 16
#define NTHREADS 64

// pipelinify: launch sgemm_nt
//   sizes    M=32 N=32 K=0,1,15,16,17,32,48,64,80
//   sizes    M=10,50 N=44 K=37
//   let      ldb = K + 5
//   target   M=4096 N=4096 K=4096
//   requires M > 0 && N > 0
//   grid     (N + 31) / 32, (M + 31) / 32
//   block    64
//   M:       M
//   N:       N
//   K:       K
//   A:       in  [M * K]
//   B:       in  [N * ldb]
//   ldb:     ldb
//   C:       out [M * N]
__global__ void __launch_bounds__(NTHREADS)
sgemm_nt(const int M, const int N, const int K,
         const float* __restrict__ A, const float* __restrict__ B, const int ldb,
         float* __restrict__ C)
{
	constexpr int stages = 3;
	__shared__ float As_stage[stages][BM * BK];
	__shared__ float Bs_stage[stages][BK * (BN + 1)];	// stored transposed, one column of padding

	const int m0 = blockIdx.y * BM;
	const int n0 = blockIdx.x * BN;
	const int tr = (threadIdx.x / 8) * 4;
	const int tc = (threadIdx.x % 8) * 4;

	float acc[4][4] = {{0}};

	// pipelinify: cp.async, 3 stages, source 54e7528b
	int k0_load = 0, stage = 0;
	// Starts to copy the next tile to a stage, if there is one.
	auto copy_tile = [&](int load_stage)
	{
		if (k0_load < K)
		{
			for (int i = threadIdx.x; i < BM * BK; i += blockDim.x)
			{
				const int r = i / BK;
				const int c = i % BK;
				__pipeline_memcpy_async(&As_stage[load_stage][i], &A[(m0 + r) * K + k0_load + c],
				                        sizeof(float),
				                        (m0 + r < M && k0_load + c < K) ? 0 : sizeof(float));
			}
			for (int i = threadIdx.x; i < BN * BK; i += blockDim.x)
			{
				const int r = i / BK;
				const int c = i % BK;
				__pipeline_memcpy_async(&Bs_stage[load_stage][c * (BN + 1) + r],
				                        &B[(n0 + r) * ldb + k0_load + c], sizeof(float),
				                        (n0 + r < N && k0_load + c < K) ? 0 : sizeof(float));
			}
			k0_load += BK;
		}
		__pipeline_commit();
	};
	for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
		copy_tile(load_stage);
	// Main loop: stages - 1 tiles are in flight while computing on one.
	for (int k0 = 0; k0 < K; k0 += BK)
	{
		__pipeline_wait_prior(stages - 2);
		__syncthreads();
		copy_tile(stage == 0 ? stages - 1 : stage - 1);

		for (int k = 0; k < BK; ++k)
			for (int i = 0; i < 4; ++i)
				for (int j = 0; j < 4; ++j)
					acc[i][j] += As_stage[stage][(tr + i) * BK + k] *
					             Bs_stage[stage][k * (BN + 1) + tc + j];
		stage = stage == stages - 1 ? 0 : stage + 1;
	}
	__pipeline_wait_prior(0);

	for (int i = 0; i < 4; ++i)
		for (int j = 0; j < 4; ++j)
			if (m0 + tr + i < M && n0 + tc + j < N)
				C[(m0 + tr + i) * N + n0 + tc + j] = acc[i][j];
}
