// Batched matrix-vector product with a persistent grid: blocks stride over (batch, row) pairs, tiles inside, a block reduction after each row.
#include <cuda_runtime.h>

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
	__shared__ float m_tile[kThreads];
	__shared__ float v_tile[kThreads];
	__shared__ float partial[kWarps];

	const unsigned tid = threadIdx.x;

	for (unsigned item = blockIdx.x; item < batch * rows; item += gridDim.x) {
		const float *mrow = mats + (size_t)item * cols;
		const float *vec  = vecs + (size_t)(item / rows) * cols;
		float sum = 0.f;

		// pipelinify: ldg-single, 1 stage, source f1371498
		unsigned c0 = 0;
		if (c0 < cols) {
			auto compute_tile = [&]() {
				// mirrored, so that the tile really is shared
				const unsigned k = kThreads - 1 - tid;
				sum = fmaf(m_tile[k], v_tile[k], sum);
			};
			{
				const bool in = c0 + tid < cols;
				m_tile[tid] = in ? mrow[c0 + tid] : 0.f;
				v_tile[tid] = in ? vec[c0 + tid] : 0.f;
			}
			__syncthreads();
			// Main loop: fetch the next tile while computing on this one.
			for (c0 += kThreads; c0 < cols; c0 += kThreads) {
				const bool in = c0 + tid < cols;
				float m_tile_next = in ? mrow[c0 + tid] : 0.f;
				float v_tile_next = in ? vec[c0 + tid] : 0.f;
				compute_tile();
				__syncthreads();
				m_tile[tid] = m_tile_next;
				v_tile[tid] = v_tile_next;
				__syncthreads();
			}
			compute_tile();
			__syncthreads();
		}

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
