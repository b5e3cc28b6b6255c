#include <cuda_runtime.h>

#define EDGE 32
#define PER 4

/* One column of the left panel against PER columns of the right one. */
#define OUTER_PRODUCT(sum, left, right)                              \
	for (int d = 0; d < EDGE; ++d) {                             \
		const float l = left[d][threadIdx.y];                \
		for (int j = 0; j < PER; ++j)                        \
			sum[j] += l * right[d][threadIdx.x + 8 * j]; \
	}

#define ABSORB_NORMS(norm, right) \
	for (int d = 0; d < EDGE; ++d) norm += right[d][threadIdx.x] * right[d][threadIdx.x]

// Cosine similarity of the columns of two tall matrices.
// pipelinify: launch column_cosines
//   sizes    rows=0,32,64,96,128,160 a_cols=32 b_cols=32,64
//   target   rows=8192 a_cols=1024 b_cols=1024
//   grid     b_cols / EDGE, a_cols / EDGE
//   block    8, EDGE
//   let      EDGE = 32
//   a:       in  [rows * a_cols] range(-1, 1)
//   b:       in  [rows * b_cols] range(-1, 1)
//   cosines: out [a_cols * b_cols]
//   rows:    rows
//   a_cols:  a_cols
//   b_cols:  b_cols
__global__ void column_cosines(const float *__restrict__ a, const float *__restrict__ b,
			       float *__restrict__ cosines, int rows, int a_cols, int b_cols)
{
	__shared__ float left_stage[2][EDGE][EDGE], right_stage[2][EDGE][EDGE];
	const int tid = threadIdx.y * 8 + threadIdx.x;
	float dots[PER] = {0.0f}, norm = 1e-6f;

	// pipelinify: ldg, 2 stages, source c63cacc3
	int r = 0, stage = 0;
	if (r < rows) {
		auto compute_tile = [&]() {
			auto &right = right_stage[stage];
#pragma unroll
			OUTER_PRODUCT(dots, left_stage[stage], right)
			ABSORB_NORMS(norm, right);
		};
		for (int i = tid; i < EDGE * EDGE; i += 8 * EDGE) {
			const int d = i / EDGE, c = i % EDGE;

			left_stage[0][d][c] = a[(size_t)(r + d) * a_cols + blockIdx.y * EDGE + c];
			right_stage[0][d][c] = b[(size_t)(r + d) * b_cols + blockIdx.x * EDGE + c];
		}
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (r += EDGE; r < rows; r += EDGE) {
			float left_next[EDGE * EDGE / (8 * EDGE)];
			float right_next[EDGE * EDGE / (8 * EDGE)];
#pragma unroll
			for (int slot = 0; slot < EDGE * EDGE / (8 * EDGE); ++slot) {
				int i = tid + slot * (8 * EDGE);
				if (i < EDGE * EDGE) {
					const int d = i / EDGE, c = i % EDGE;
					left_next[slot] = a[(size_t)(r + d) * a_cols + blockIdx.y * EDGE + c];
					right_next[slot] = b[(size_t)(r + d) * b_cols + blockIdx.x * EDGE + c];
				}
			}
			compute_tile();
			stage ^= 1;
#pragma unroll
			for (int slot = 0; slot < EDGE * EDGE / (8 * EDGE); ++slot) {
				int i = tid + slot * (8 * EDGE);
				if (i < EDGE * EDGE) {
					const int d = i / EDGE, c = i % EDGE;
					left_stage[stage][d][c] = left_next[slot];
					right_stage[stage][d][c] = right_next[slot];
				}
			}
			__syncthreads();
		}
		compute_tile();
	}

	for (int j = 0; j < PER; ++j)
		cosines[(size_t)(blockIdx.y * EDGE + threadIdx.y) * b_cols +
			blockIdx.x * EDGE + threadIdx.x + 8 * j] = dots[j] * rsqrtf(norm);
}
