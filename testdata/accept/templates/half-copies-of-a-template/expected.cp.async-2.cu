// Batched scores q * k^T; the element type and the depth of a tile are template parameters.
// A float instantiation copies as many bytes by itself as a half one does by twos.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

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
	__shared__ __align__(16) T qs_stage[2][32][DEPTH + 8];
	__shared__ __align__(16) T ks_stage[2][32][DEPTH + 8];
	const int threads = blockDim.x * blockDim.y;
	const int rank = threadIdx.x + threadIdx.y * blockDim.x;
	const size_t head = blockIdx.z;
	const T *qh = q + head * queries * dim;
	const T *kh = k + head * keys * dim;
	const int q0 = blockIdx.y * 32, k0 = blockIdx.x * 32;

	float dot[4] = {0.f, 0.f, 0.f, 0.f};
	// pipelinify: cp.async, 2 stages, source 07361962
	static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
	// Whether 8 neighbouring elements can be one copy: all is aligned.
	const bool joined = (32 * DEPTH) % 8 == 0 && sizeof(T) == 2 && __is_trivially_copyable(T) && DEPTH % 8 == 0 &&
	                    (DEPTH + 8) % 8 == 0 && (size_t)q % 16 == 0 && dim % 8 == 0 && (size_t)k % 16 == 0;
	int d0_load = 0, stage = 0;
	// Starts to copy the next tile to a stage, if there is one.
	auto copy_tile = [&](int load_stage)
	{
		if (d0_load < dim)
		{
			if (joined)
			{
				for (int i = 8 * rank; i < 32 * DEPTH; i += 8 * threads)
				{
					int r = i / DEPTH, d = i % DEPTH;
					if (q0 + r < queries && d0_load + d < dim)
					{
						__pipeline_memcpy_async(&qs_stage[load_stage][r][d], &qh[(q0 + r) * dim + d0_load + d], 16);
					}
					else
					{
						for (int each = 0; each < 8; ++each)
						{
							(&qs_stage[load_stage][r][d])[each] = T(0.f);
						}
					}
				}
				for (int i = 8 * rank; i < 32 * DEPTH; i += 8 * threads)
				{
					int r = i / DEPTH, d = i % DEPTH;
					if (k0 + r < keys && d0_load + d < dim)
					{
						__pipeline_memcpy_async(&ks_stage[load_stage][r][d], &kh[(k0 + r) * dim + d0_load + d], 16);
					}
					else
					{
						for (int each = 0; each < 8; ++each)
						{
							(&ks_stage[load_stage][r][d])[each] = T(0.f);
						}
					}
				}
			}
			else
			{
				for (int i = rank; i < 32 * DEPTH; i += threads)
				{
					int r = i / DEPTH, d = i % DEPTH;
					qs_stage[load_stage][r][d] =
						(q0 + r < queries && d0_load + d < dim) ? qh[(q0 + r) * dim + d0_load + d] : T(0.f);
				}
				for (int i = rank; i < 32 * DEPTH; i += threads)
				{
					int r = i / DEPTH, d = i % DEPTH;
					ks_stage[load_stage][r][d] =
						(k0 + r < keys && d0_load + d < dim) ? kh[(k0 + r) * dim + d0_load + d] : T(0.f);
				}
			}
			d0_load += DEPTH;
		}
		__pipeline_commit();
	};
	copy_tile(0);
	// Main loop: 1 tile is in flight while computing on one.
	for (int d0 = 0; d0 < dim; d0 += DEPTH)
	{
		__pipeline_wait_prior(0);
		__syncthreads();
		copy_tile(stage ^ 1);
		for (int d = 0; d < DEPTH; ++d)
			for (int j = 0; j < 4; ++j)
				dot[j] += wide(qs_stage[stage][threadIdx.y + 8 * j][d]) * wide(ks_stage[stage][threadIdx.x][d]);
		stage ^= 1;
	}
	__pipeline_wait_prior(0);
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
