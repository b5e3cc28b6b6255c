// Grouped GEMM (as for experts): every group has its own depth, read from memory by the block.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch grouped_gemm
//   sizes    groups=1 M=16 N=16 maxK=1,17,40,80
//   sizes    groups=4 M=16 N=10 maxK=64
//   sizes    groups=8 M=8 N=16 maxK=100
//   target   groups=64 M=128 N=1024 maxK=4096
//   requires maxK > 0 && M > 0 && N > 0
//   grid     (N + 15) / 16, (M + 15) / 16, groups
//   block    16, 16
//   A:       in  [groups * M * maxK]
//   B:       in  [groups * maxK * N]
//   depth:   in  [groups]  below(maxK)
//   C:       out [groups * M * N]
//   M:       M
//   N:       N
//   maxK:    maxK
__global__ void grouped_gemm(const float *__restrict__ A, const float *__restrict__ B, const int *__restrict__ depth,
                             float *__restrict__ C, int M, int N, int maxK)
{
	const int z = blockIdx.z;
	const int K = depth[z];		/* may be zero: an expert that got no token */
	constexpr int stages = 3;
	__shared__ float sA_stage[stages][16][16 + 1];
	__shared__ float sB_stage[stages][16][16 + 1];

	const int m = blockIdx.y * 16 + threadIdx.y;
	const int n = blockIdx.x * 16 + threadIdx.x;
	const bool mok = m < M, nok = n < N;
	const float *a = A + (size_t)z * M * maxK + (size_t)m * maxK;
	const float *b = B + (size_t)z * maxK * N + n;
	float c = 0.0f;

	int k = 0;
	// pipelinify: cp.async, 3 stages, source 6250f990
	int k_load = k, stage = 0;
	// Starts to copy the next tile to a stage, if there is one.
	auto copy_tile = [&](int load_stage) {
		if (k_load < K) {
			const int ka = k_load + threadIdx.x, kb = k_load + threadIdx.y;
			if (mok && ka < K) {
				__pipeline_memcpy_async(&sA_stage[load_stage][threadIdx.y][threadIdx.x], &a[ka], sizeof(float));
			} else {
				sA_stage[load_stage][threadIdx.y][threadIdx.x] = 0.0f;
			}
			if (nok) {
				if (kb < K)
					__pipeline_memcpy_async(&sB_stage[load_stage][threadIdx.y][threadIdx.x], &b[(size_t)kb * N],
					                        sizeof(float));
				else
					sB_stage[load_stage][threadIdx.y][threadIdx.x] = 0.0f;
			} else {
				sB_stage[load_stage][threadIdx.y][threadIdx.x] = 0.0f;
			}
			k_load += 16;
		}
		__pipeline_commit();
	};
	for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
		copy_tile(load_stage);
	// Main loop: stages - 1 tiles are in flight while computing on one.
	while (k < K) {
		__pipeline_wait_prior(stages - 2);
		__syncthreads();
		copy_tile(stage == 0 ? stages - 1 : stage - 1);
		for (int i = 0; i < 16; i++)
			c = __fmaf_rn(sA_stage[stage][threadIdx.y][i], sB_stage[stage][i][threadIdx.x], c);
		k += 16;
		stage = stage == stages - 1 ? 0 : stage + 1;
	}
	__pipeline_wait_prior(0);

	if (mok && nok)
		C[((size_t)z * M + m) * N + n] = c;
}
