// A contraction of tensors as a generator writes it: what the last tile lacks is kept in a variable from
// outside the loop, which a branch sets from another one. Behind it, a start that is set after its use, and a
// stop that a branch brings nearer.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define SIZE_TILE_E 16
#define SIZE_TILE_A 16
#define SIZE_TILE_J 16

// pipelinify: launch kernel__contraction
//   sizes A=16,18 B=2 I=2 J=16,17 E=0,1,16,20,32,50,80,100,128
//   target A=256 B=16 I=16 J=256 E=1024
//   grid (A + 15) / 16 * ((J + 15) / 16) * B * I
//   block 16, 16
//   dev_t3: out [A * B * I * J]
//   dev_t2: in [A * I * E]
//   dev_v2: in [E * B * J]
//   size_a: A
//   size_b: B
//   size_i: I
//   size_j: J
//   size_e: E
//   numBlk_a: (A + 15) / 16
//   numBlk_j: (J + 15) / 16
//   size_internal: E
__global__ void kernel__contraction(float* dev_t3, const float* dev_t2, const float* dev_v2,
	int size_a, int size_b, int size_i, int size_j, int size_e, int numBlk_a, int numBlk_j, int size_internal)
{
	// For Shared Memory,
	__shared__ float sm_a_stage[2][16][16];
	__shared__ float sm_b_stage[2][16][16];

	int internal_upperbound   = 0;
	int internal_offset;

	int idx_a = threadIdx.x;
	int idx_j = threadIdx.y;

	int tmp_blkIdx = blockIdx.x;
	int blk_idx_i = tmp_blkIdx / (numBlk_a * numBlk_j * size_b);
	tmp_blkIdx = tmp_blkIdx % (numBlk_a * numBlk_j * size_b);
	int blk_idx_b = tmp_blkIdx / (numBlk_a * numBlk_j);
	tmp_blkIdx = tmp_blkIdx % (numBlk_a * numBlk_j);
	int blk_idx_j = tmp_blkIdx / numBlk_a;
	int blk_idx_a = tmp_blkIdx % numBlk_a;

	int rng_a, rng_j;
	if ((size_a - (blk_idx_a * SIZE_TILE_A)) >= SIZE_TILE_A) rng_a = SIZE_TILE_A;
	else rng_a = size_a % SIZE_TILE_A;
	if ((size_j - (blk_idx_j * SIZE_TILE_J)) >= SIZE_TILE_J) rng_j = SIZE_TILE_J;
	else rng_j = size_j % SIZE_TILE_J;

	float temp_av;
	float reg_tile = 0.0f;

	// tensor contraction: [[16, 'STR_SD2_T2_H7', 'x', 't2', ['a', 'i', 'e']], ...]
	// pipelinify: ldg, 2 stages, source 33dc8177
	int l = 0, l_tile = l, internal_upperbound_tile = internal_upperbound, stage = 0;
	int internal_offset_tile;
	if (l < size_internal)
	{
		auto compute_tile = [&]()
		{
			// Part: Generalized Contraction Index (p7b)
			internal_offset_tile = (l_tile + SIZE_TILE_E) - size_internal;
			if (internal_offset_tile > 0) internal_upperbound_tile = internal_offset_tile;

			// Cross-Product: 16
			for (int ll = 0; ll < SIZE_TILE_E - internal_upperbound_tile; ll++)
			{
				temp_av = sm_a_stage[stage][ll][idx_a];
				reg_tile += temp_av * sm_b_stage[stage][ll][idx_j];
			}
		};
		// Part: Generalized Contraction Index (p7b)
		internal_offset = (l + SIZE_TILE_E) - size_internal;
		if (internal_offset > 0) internal_upperbound = internal_offset;

		// Load Input Tensor to Shared Memory: 16:16
		if (idx_a < rng_a && threadIdx.y < SIZE_TILE_E - internal_upperbound)
			sm_a_stage[0][threadIdx.y][threadIdx.x] = dev_t2[blk_idx_a * SIZE_TILE_A + idx_a + (blk_idx_i + (threadIdx.y + l) * size_i) * size_a];
		if (idx_j < rng_j && threadIdx.x < SIZE_TILE_E - internal_upperbound)
			sm_b_stage[0][threadIdx.x][threadIdx.y] = dev_v2[(threadIdx.x + l) + (blk_idx_b + (blk_idx_j * SIZE_TILE_J + idx_j) * size_b) * size_e];
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (l += SIZE_TILE_E; l < size_internal; l += SIZE_TILE_E)
		{
			float sm_a_next;
			float sm_b_next;
			// Part: Generalized Contraction Index (p7b)
			internal_offset = (l + SIZE_TILE_E) - size_internal;
			if (internal_offset > 0) internal_upperbound = internal_offset;

			// Load Input Tensor to Shared Memory: 16:16
			if (idx_a < rng_a && threadIdx.y < SIZE_TILE_E - internal_upperbound)
				sm_a_next = dev_t2[blk_idx_a * SIZE_TILE_A + idx_a + (blk_idx_i + (threadIdx.y + l) * size_i) * size_a];
			if (idx_j < rng_j && threadIdx.x < SIZE_TILE_E - internal_upperbound)
				sm_b_next = dev_v2[(threadIdx.x + l) + (blk_idx_b + (blk_idx_j * SIZE_TILE_J + idx_j) * size_b) * size_e];
			compute_tile();
			l_tile += SIZE_TILE_E;
			stage ^= 1;
			if (idx_a < rng_a && threadIdx.y < SIZE_TILE_E - internal_upperbound)
				sm_a_stage[stage][threadIdx.y][threadIdx.x] = sm_a_next;
			if (idx_j < rng_j && threadIdx.x < SIZE_TILE_E - internal_upperbound)
				sm_b_stage[stage][threadIdx.x][threadIdx.y] = sm_b_next;
			__syncthreads();
		}
		compute_tile();
	}

	// Store Results (Registers) to Global Memory
	if (idx_a < rng_a && idx_j < rng_j)
		dev_t3[blk_idx_a * SIZE_TILE_A + idx_a + (blk_idx_b + (blk_idx_i + (blk_idx_j * SIZE_TILE_J + idx_j) * size_i) * size_b) * size_a] = reg_tile;
}

// pipelinify: launch sums_from_later
//   sizes  n=0,1,31,32,33,64,70,100,128,200
//   target n=65536
//   grid   2
//   block  32
//   x:     in  [n + 64] random
//   out:   out [66]
//   n:     n
__global__ void __launch_bounds__(32) sums_from_later(const float* __restrict__ x, float* __restrict__ out, int n)
{
	constexpr int stages = 8;
	__shared__ float s_stage[stages][32];
	float sum = 0;
	int count = 32, later = 0;
	// pipelinify: cp.async, 8 stages, source e18a9b94
	int k_load = 0, stage = 0;
	// Starts to copy the next tile to a stage, if there is one.
	auto copy_tile = [&](int load_stage) {
		if (k_load < n) {
			__pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x], &x[k_load + threadIdx.x + later], sizeof(float));
			if (k_load >= 64)
				later = k_load / 16;
			k_load += 32;
		}
		__pipeline_commit();
	};
	for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
		copy_tile(load_stage);
	// Main loop: stages - 1 tiles are in flight while computing on one.
	for (int k = 0; k < n; k += 32) {
		__pipeline_wait_prior(stages - 2);
		__syncthreads();
		copy_tile(stage == 0 ? stages - 1 : stage - 1);
		if (k + 32 > n) {
			count = n - k;
		}
		for (int j = 0; j < count; j++)
			sum += s_stage[stage][j] * (1 + threadIdx.x);
		stage = stage == stages - 1 ? 0 : stage + 1;
	}
	__pipeline_wait_prior(0);
	out[blockIdx.x * 33 + threadIdx.x] = sum;
	if (threadIdx.x == 0)
		out[blockIdx.x * 33 + 32] = count + later + blockIdx.x;
}

// pipelinify: launch sums_until
//   sizes  n=0,1,31,32,33,64,70,100,128,200,224,300
//   target n=65536
//   grid   2
//   block  32
//   x:     in  [n + 64] random
//   out:   out [66]
//   n:     n
__global__ void __launch_bounds__(32) sums_until(const float* __restrict__ x, float* __restrict__ out, int n)
{
	constexpr int stages = 8;
	__shared__ float s_stage[stages][32];
	float sum = 0;
	int stop = n;
	// pipelinify: cp.async, 8 stages, source 12e3f06a
	int k_load = 0, stop_load = stop, stage = 0;
	// Starts to copy the next tile to a stage, if there is one.
	auto copy_tile = [&](int load_stage) {
		if (k_load < stop_load) {
			if (k_load >= 192)
				stop_load = 193;
			__pipeline_memcpy_async(&s_stage[load_stage][threadIdx.x], &x[k_load + threadIdx.x], sizeof(float));
			k_load += 32;
		}
		__pipeline_commit();
	};
	for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
		copy_tile(load_stage);
	// Main loop: stages - 1 tiles are in flight while computing on one.
	for (int k = 0; k < stop; k += 32) {
		__pipeline_wait_prior(stages - 2);
		__syncthreads();
		copy_tile(stage == 0 ? stages - 1 : stage - 1);
		if (k >= 192)
			stop = 193;
		for (int j = 0; j < 32; j++)
			sum += s_stage[stage][j] * (1 + threadIdx.x);
		stage = stage == stages - 1 ? 0 : stage + 1;
	}
	__pipeline_wait_prior(0);
	out[blockIdx.x * 33 + threadIdx.x] = sum;
	if (threadIdx.x == 0)
		out[blockIdx.x * 33 + 32] = stop + blockIdx.x;
}
