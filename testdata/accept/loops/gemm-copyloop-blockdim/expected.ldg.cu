// SGEMM, 32x32x16 tile, copy loops that step by blockDim.x; NT layout (B is given as N x K).
#include "cuda_runtime.h"

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
	__shared__ float As_stage[2][BM * BK];
	__shared__ float Bs_stage[2][BK * (BN + 1)];	// stored transposed, one column of padding

	const int m0 = blockIdx.y * BM;
	const int n0 = blockIdx.x * BN;
	const int tr = (threadIdx.x / 8) * 4;
	const int tc = (threadIdx.x % 8) * 4;

	float acc[4][4] = {{0}};

	// pipelinify: ldg, 2 stages, source 54e7528b
	int k0 = 0, stage = 0;
	if (k0 < K)
	{
		for (int i = threadIdx.x; i < BM * BK; i += blockDim.x)
		{
			const int r = i / BK;
			const int c = i % BK;
			float v = 0.0f;
			if (m0 + r < M && k0 + c < K)
				v = A[(m0 + r) * K + k0 + c];
			As_stage[0][i] = v;
		}
		for (int i = threadIdx.x; i < BN * BK; i += blockDim.x)
		{
			const int r = i / BK;
			const int c = i % BK;
			float v = 0.0f;
			if (n0 + r < N && k0 + c < K)
				v = B[(n0 + r) * ldb + k0 + c];
			Bs_stage[0][c * (BN + 1) + r] = v;
		}
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (k0 += BK; k0 < K; k0 += BK)
		{
			float As_next[8];
			float Bs_next[8];
			#pragma unroll
			for (int slot = 0; slot < 8; ++slot)
			{
				int i = threadIdx.x + slot * blockDim.x;
				if (i < BM * BK)
				{
					const int r = i / BK;
					const int c = i % BK;
					float v = 0.0f;
					if (m0 + r < M && k0 + c < K)
						v = A[(m0 + r) * K + k0 + c];
					As_next[slot] = v;
				}
			}
			#pragma unroll
			for (int slot = 0; slot < 8; ++slot)
			{
				int i = threadIdx.x + slot * blockDim.x;
				if (i < BN * BK)
				{
					const int r = i / BK;
					const int c = i % BK;
					float v = 0.0f;
					if (n0 + r < N && k0 + c < K)
						v = B[(n0 + r) * ldb + k0 + c];
					Bs_next[slot] = v;
				}
			}

			for (int k = 0; k < BK; ++k)
				for (int i = 0; i < 4; ++i)
					for (int j = 0; j < 4; ++j)
						acc[i][j] += As_stage[stage][(tr + i) * BK + k] *
						             Bs_stage[stage][k * (BN + 1) + tc + j];
			stage ^= 1;
			#pragma unroll
			for (int slot = 0; slot < 8; ++slot)
			{
				int i = threadIdx.x + slot * blockDim.x;
				if (i < BM * BK)
				{
					As_stage[stage][i] = As_next[slot];
				}
			}
			// What has not been fetched ahead.
			for (int i = threadIdx.x + 8 * blockDim.x; i < BM * BK; i += blockDim.x)
			{
				const int r = i / BK;
				const int c = i % BK;
				float v = 0.0f;
				if (m0 + r < M && k0 + c < K)
					v = A[(m0 + r) * K + k0 + c];
				As_stage[stage][i] = v;
			}
			#pragma unroll
			for (int slot = 0; slot < 8; ++slot)
			{
				int i = threadIdx.x + slot * blockDim.x;
				if (i < BN * BK)
				{
					const int r = i / BK;
					const int c = i % BK;
					Bs_stage[stage][c * (BN + 1) + r] = Bs_next[slot];
				}
			}
			// What has not been fetched ahead.
			for (int i = threadIdx.x + 8 * blockDim.x; i < BN * BK; i += blockDim.x)
			{
				const int r = i / BK;
				const int c = i % BK;
				float v = 0.0f;
				if (n0 + r < N && k0 + c < K)
					v = B[(n0 + r) * ldb + k0 + c];
				Bs_stage[stage][c * (BN + 1) + r] = v;
			}
			__syncthreads();
		}
		for (int k = 0; k < BK; ++k)
			for (int i = 0; i < 4; ++i)
				for (int j = 0; j < 4; ++j)
					acc[i][j] += As_stage[stage][(tr + i) * BK + k] *
					             Bs_stage[stage][k * (BN + 1) + tc + j];
	}

	for (int i = 0; i < 4; ++i)
		for (int j = 0; j < 4; ++j)
			if (m0 + tr + i < M && n0 + tc + j < N)
				C[(m0 + tr + i) * N + n0 + tc + j] = acc[i][j];
}
