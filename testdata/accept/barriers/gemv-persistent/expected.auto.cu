// Batched matrix-vector product with a persistent grid: blocks stride over (batch, row) pairs, tiles inside, a block reduction after each row.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

constexpr unsigned kThreads = 64;
constexpr unsigned kWarps   = kThreads / 32;

static __device__ __forceinline__ float warp_sum(float v) {
	for (int m = 16; m; m >>= 1)
		v += __shfl_xor_sync(0xffffffffu, v, m);
	return v;
}

// pipelinify: launch batched_gemv
//   sizes  batch=1 rows=5 cols=0,1,63,64,65,128,192,256,320,321 blocks=2
//   sizes  batch=3 rows=4 cols=160,192 blocks=5
//   sizes  batch=1 rows=1 cols=100 blocks=3
//   target batch=16 rows=4096 cols=4096 blocks=1056
//   grid   blocks
//   block  64
//   mats:  in  [batch * rows * cols] random
//   vecs:  in  [batch * cols] random
//   outs:  out [batch * rows]
//   batch: batch
//   rows:  rows
//   cols:  cols
//   work   flops 2 * batch * rows * cols
//   work   bytes 4 * batch * rows * cols
__global__ void __launch_bounds__(kThreads)
batched_gemv(const float *__restrict__ mats, const float *__restrict__ vecs,
             float *__restrict__ outs, unsigned batch, unsigned rows, unsigned cols)
{
	constexpr int stages = 8;
	__shared__ float m_tile_stage[stages][kThreads];
	__shared__ float v_tile_stage[stages][kThreads];
	__shared__ float partial[kWarps];

	const unsigned tid = threadIdx.x;

	for (unsigned item = blockIdx.x; item < batch * rows; item += gridDim.x) {
		const float *mrow = mats + (size_t)item * cols;
		const float *vec  = vecs + (size_t)(item / rows) * cols;
		float sum = 0.f;

		// pipelinify: cp.async, 8 stages, source f1371498
		unsigned c0_load = 0;
		// Starts to copy the next tile to a stage, if there is one.
		auto copy_tile = [&](int load_stage) {
			if (c0_load < cols) {
				const bool in = c0_load + tid < cols;
				__pipeline_memcpy_async(&m_tile_stage[load_stage][tid], &mrow[c0_load + tid], sizeof(float), in ? 0 : sizeof(float));
				__pipeline_memcpy_async(&v_tile_stage[load_stage][tid], &vec[c0_load + tid], sizeof(float), in ? 0 : sizeof(float));
				c0_load += kThreads;
			}
			__pipeline_commit();
		};
		for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
			copy_tile(load_stage);
		int stage = 0;
		// Main loop: stages - 1 tiles are in flight while computing on one.
		for (unsigned c0 = 0; c0 < cols; c0 += kThreads) {
			__pipeline_wait_prior(stages - 2);
			__syncthreads();
			copy_tile(stage == 0 ? stages - 1 : stage - 1);

			// mirrored, so that the tile really is shared
			const unsigned k = kThreads - 1 - tid;
			sum = fmaf(m_tile_stage[stage][k], v_tile_stage[stage][k], sum);
			stage = stage == stages - 1 ? 0 : stage + 1;
		}
		__pipeline_wait_prior(0);
		__syncthreads();

		sum = warp_sum(sum);
		if (tid % 32 == 0)
			partial[tid / 32] = sum;
		__syncthreads();
		if (tid == 0) {
			float total = 0.f;
			for (unsigned w = 0; w < kWarps; ++w)
				total += partial[w];
			outs[item] = total;
		}
		__syncthreads();
	}
}
