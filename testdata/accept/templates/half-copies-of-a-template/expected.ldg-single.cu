// Batched scores q * k^T; the element type and the depth of a tile are template parameters.
// A float instantiation copies as many bytes by itself as a half one does by twos.
#include <cuda_fp16.h>

__device__ inline float wide(float v) { return v; }
__device__ inline float wide(__half v) { return __half2float(v); }

// pipelinify: launch scores<__half, 64>
//   sizes    queries=32 keys=32 dim=0,64,128,192,256,320 heads=1
//   sizes    queries=20,33 keys=40 dim=30,72,100 heads=2
//   target   queries=1024 keys=1024 dim=128 heads=32
//   requires queries > 0 && keys > 0
//   grid     (keys + 31) / 32, (queries + 31) / 32, heads
//   block    32, 8
//   q:       in  [heads * queries * dim]
//   k:       in  [heads * keys * dim]
//   s:       out [heads * queries * keys]
//   queries: queries
//   keys:    keys
//   dim:     dim
//   work     flops 2 * heads * queries * keys * dim
template <typename T, int DEPTH>
__global__ void scores(const T *__restrict__ q, const T *__restrict__ k, float *__restrict__ s,
                       int queries, int keys, int dim)
{
	__shared__ T qs[32][DEPTH + 8];
	__shared__ T ks[32][DEPTH + 8];
	const int threads = blockDim.x * blockDim.y;
	const int rank = threadIdx.x + threadIdx.y * blockDim.x;
	const size_t head = blockIdx.z;
	const T *qh = q + head * queries * dim;
	const T *kh = k + head * keys * dim;
	const int q0 = blockIdx.y * 32, k0 = blockIdx.x * 32;

	float dot[4] = {0.f, 0.f, 0.f, 0.f};
	// pipelinify: ldg-single, 1 stage, source 07361962
	static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
	int d0 = 0;
	if (d0 < dim)
	{
		for (int i = rank; i < 32 * DEPTH; i += threads)
		{
			int r = i / DEPTH, d = i % DEPTH;
			qs[r][d] = (q0 + r < queries && d0 + d < dim) ? qh[(q0 + r) * dim + d0 + d] : T(0.f);
		}
		for (int i = rank; i < 32 * DEPTH; i += threads)
		{
			int r = i / DEPTH, d = i % DEPTH;
			ks[r][d] = (k0 + r < keys && d0 + d < dim) ? kh[(k0 + r) * dim + d0 + d] : T(0.f);
		}
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (d0 += DEPTH; d0 < dim; d0 += DEPTH)
		{
			T qs_next[8];
			T ks_next[8];
			#pragma unroll
			for (int slot = 0; slot < 8; ++slot)
			{
				int i = rank + slot * threads;
				if (i < 32 * DEPTH)
				{
					int r = i / DEPTH, d = i % DEPTH;
					qs_next[slot] = T(0.f);
					if (q0 + r < queries && d0 + d < dim)
						qs_next[slot] = qh[(q0 + r) * dim + d0 + d];
				}
			}
			#pragma unroll
			for (int slot = 0; slot < 8; ++slot)
			{
				int i = rank + slot * threads;
				if (i < 32 * DEPTH)
				{
					int r = i / DEPTH, d = i % DEPTH;
					ks_next[slot] = T(0.f);
					if (k0 + r < keys && d0 + d < dim)
						ks_next[slot] = kh[(k0 + r) * dim + d0 + d];
				}
			}
			for (int d = 0; d < DEPTH; ++d)
				for (int j = 0; j < 4; ++j)
					dot[j] += wide(qs[threadIdx.y + 8 * j][d]) * wide(ks[threadIdx.x][d]);
			__syncthreads();
			#pragma unroll
			for (int slot = 0; slot < 8; ++slot)
			{
				int i = rank + slot * threads;
				if (i < 32 * DEPTH)
				{
					int r = i / DEPTH, d = i % DEPTH;
					qs[r][d] = qs_next[slot];
				}
			}
			// What has not been fetched ahead.
			for (int i = rank + 8 * threads; i < 32 * DEPTH; i += threads)
			{
				int r = i / DEPTH, d = i % DEPTH;
				qs[r][d] = (q0 + r < queries && d0 + d < dim) ? qh[(q0 + r) * dim + d0 + d] : T(0.f);
			}
			#pragma unroll
			for (int slot = 0; slot < 8; ++slot)
			{
				int i = rank + slot * threads;
				if (i < 32 * DEPTH)
				{
					int r = i / DEPTH, d = i % DEPTH;
					ks[r][d] = ks_next[slot];
				}
			}
			// What has not been fetched ahead.
			for (int i = rank + 8 * threads; i < 32 * DEPTH; i += threads)
			{
				int r = i / DEPTH, d = i % DEPTH;
				ks[r][d] = (k0 + r < keys && d0 + d < dim) ? kh[(k0 + r) * dim + d0 + d] : T(0.f);
			}
			__syncthreads();
		}
		for (int d = 0; d < DEPTH; ++d)
			for (int j = 0; j < 4; ++j)
				dot[j] += wide(qs[threadIdx.y + 8 * j][d]) * wide(ks[threadIdx.x][d]);
	}
	for (int j = 0; j < 4; ++j)
	{
		int row = q0 + threadIdx.y + 8 * j, col = k0 + threadIdx.x;
		if (row < queries && col < keys)
			s[(head * queries + row) * keys + col] = dot[j];
	}
}

void score_heads(const __half *q, const __half *k, float *s, int queries, int keys, int dim, int heads)
{
	dim3 grid((keys + 31) / 32, (queries + 31) / 32, heads);
	scores<__half, 64><<<grid, dim3(32, 8)>>>(q, k, s, queries, keys, dim);
}
