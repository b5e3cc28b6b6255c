// Split-K product: blockIdx.z takes a range of K tiles and writes its partial sums to a workspace.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define TM 16
#define TN 16
#define TK 32

// pipelinify: launch sgemm_splitk
//   sizes    M=16 N=16 K=0,1,31,32,33,64,96,128,160 splits=1
//   sizes    M=18 N=16 K=100 splits=2,3
//   sizes    M=16 N=16 K=40 splits=4
//   target   M=64 N=64 K=65536 splits=32
//   requires M > 0 && N > 0 && splits > 0
//   grid     (N + 15) / 16, (M + 15) / 16, splits
//   block    16, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   work_c:  out [splits * M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void __launch_bounds__(TM * TN)
sgemm_splitk(const float *A, const float *B, float *work_c, int M, int N, int K)
{
	__shared__ float2 a_s_stage[2][TM][TK / 2];
	__shared__ float b_s_stage[2][TK][TN];

	const int tx = threadIdx.x, ty = threadIdx.y;
	const int row = blockIdx.y * TM + ty;
	const int col = blockIdx.x * TN + tx;
	const int all = (K + TK - 1) / TK;
	const int per = (all + gridDim.z - 1) / gridDim.z;
	const int begin = blockIdx.z * per;
	const int end = min(begin + per, all);

	float s = 0;
	// pipelinify: cp.async, 2 stages, source 7e4d0ba3
	int t = begin, stage = 0;
	if (t < end) {
		auto compute_tile = [&]() {
			#pragma unroll
			for (int q = 0; q < TK / 2; q++) {
				float2 a = a_s_stage[stage][ty][q];
				s += a.x * b_s_stage[stage][2 * q][tx];
				s += a.y * b_s_stage[stage][2 * q + 1][tx];
			}
		};
		{
			const int k = t * TK + 2 * tx;
			float2 v = make_float2(0.0f, 0.0f);
			if (row < M) {
				if (k < K)
					v.x = A[(long long)row * K + k];
				if (k + 1 < K)
					v.y = A[(long long)row * K + k + 1];
			}
			a_s_stage[0][ty][tx] = v;

			int r = t * TK + ty;
			__pipeline_memcpy_async(&b_s_stage[0][ty][tx], &B[(long long)r * N + col],
			                        sizeof(float), (r < K && col < N) ? 0 : sizeof(float));
			r += TM;
			__pipeline_memcpy_async(&b_s_stage[0][ty + TM][tx], &B[(long long)r * N + col],
			                        sizeof(float), (r < K && col < N) ? 0 : sizeof(float));
		}
		__pipeline_commit();
		__pipeline_wait_prior(0);
		__syncthreads();
		// Main loop: copy or fetch the next tile while computing on this one.
		for (t++; t < end; t++) {
			const int k = t * TK + 2 * tx;
			float2 v = make_float2(0.0f, 0.0f);
			if (row < M) {
				if (k < K)
					v.x = A[(long long)row * K + k];
				if (k + 1 < K)
					v.y = A[(long long)row * K + k + 1];
			}

			int r = t * TK + ty;
			__pipeline_memcpy_async(&b_s_stage[stage ^ 1][ty][tx], &B[(long long)r * N + col],
			                        sizeof(float), (r < K && col < N) ? 0 : sizeof(float));
			r += TM;
			__pipeline_memcpy_async(&b_s_stage[stage ^ 1][ty + TM][tx], &B[(long long)r * N + col],
			                        sizeof(float), (r < K && col < N) ? 0 : sizeof(float));
			__pipeline_commit();
			compute_tile();
			stage ^= 1;
			{
				a_s_stage[stage][ty][tx] = v;
			}
			__pipeline_wait_prior(0);
			__syncthreads();
		}
		compute_tile();
	}

	if (row < M && col < N)
		work_c[((long long)blockIdx.z * M + row) * N + col] = s;
}
