// Grouped GEMM (as for experts): every group has its own depth, read from memory by the block.
#include <cuda_runtime.h>

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
	__shared__ float sA[16][16 + 1];
	__shared__ float sB[16][16 + 1];

	const int m = blockIdx.y * 16 + threadIdx.y;
	const int n = blockIdx.x * 16 + threadIdx.x;
	const bool mok = m < M, nok = n < N;
	const float *a = A + (size_t)z * M * maxK + (size_t)m * maxK;
	const float *b = B + (size_t)z * maxK * N + n;
	float c = 0.0f;

	int k = 0;
	// pipelinify: ldg-single, 1 stage, source 6250f990
	if (k < K) {
		{
			const int ka = k + threadIdx.x, kb = k + threadIdx.y;
			if (mok && ka < K) {
				sA[threadIdx.y][threadIdx.x] = a[ka];
			} else {
				sA[threadIdx.y][threadIdx.x] = 0.0f;
			}
			if (nok) {
				if (kb < K)
					sB[threadIdx.y][threadIdx.x] = b[(size_t)kb * N];
				else
					sB[threadIdx.y][threadIdx.x] = 0.0f;
			} else {
				sB[threadIdx.y][threadIdx.x] = 0.0f;
			}
			k += 16;
		}
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		while (k < K) {
			float sA_next;
			float sB_next;
			const int ka = k + threadIdx.x, kb = k + threadIdx.y;
			if (mok && ka < K) {
				sA_next = a[ka];
			} else {
				sA_next = 0.0f;
			}
			if (nok) {
				if (kb < K)
					sB_next = b[(size_t)kb * N];
				else
					sB_next = 0.0f;
			}
			for (int i = 0; i < 16; i++)
				c = __fmaf_rn(sA[threadIdx.y][i], sB[i][threadIdx.x], c);
			__syncthreads();
			sA[threadIdx.y][threadIdx.x] = sA_next;
			if (nok) {
				sB[threadIdx.y][threadIdx.x] = sB_next;
			} else {
				sB[threadIdx.y][threadIdx.x] = 0.0f;
			}
			k += 16;
			__syncthreads();
		}
		for (int i = 0; i < 16; i++)
			c = __fmaf_rn(sA[threadIdx.y][i], sB[i][threadIdx.x], c);
	}

	if (mok && nok)
		C[((size_t)z * M + m) * N + n] = c;
}
