#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
	constexpr int stages = 3;
	__shared__ float left_stage[stages][EDGE][EDGE], right_stage[stages][EDGE][EDGE];
	const int tid = threadIdx.y * 8 + threadIdx.x;
	float dots[PER] = {0.0f}, norm = 1e-6f;

	// pipelinify: cp.async, 3 stages, source c63cacc3
	int r_load = 0, stage = 0;
	// Starts to copy the next tile to a stage, if there is one.
	auto copy_tile = [&](int load_stage) {
		if (r_load < rows) {
			for (int i = tid; i < EDGE * EDGE; i += 8 * EDGE) {
				const int d = i / EDGE, c = i % EDGE;
				__pipeline_memcpy_async(&left_stage[load_stage][d][c],
				                        &a[(size_t)(r_load + d) * a_cols + blockIdx.y * EDGE + c],
				                        sizeof(float));
				__pipeline_memcpy_async(&right_stage[load_stage][d][c],
				                        &b[(size_t)(r_load + d) * b_cols + blockIdx.x * EDGE + c],
				                        sizeof(float));
			}
			r_load += EDGE;
		}
		__pipeline_commit();
	};
	for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
		copy_tile(load_stage);
	// Main loop: stages - 1 tiles are in flight while computing on one.
	for (int r = 0; r < rows; r += EDGE) {
		__pipeline_wait_prior(stages - 2);
		__syncthreads();
		copy_tile(stage == 0 ? stages - 1 : stage - 1);

		auto &right = right_stage[stage];
#pragma unroll
		OUTER_PRODUCT(dots, left_stage[stage], right)
		ABSORB_NORMS(norm, right);
		stage = stage == stages - 1 ? 0 : stage + 1;
	}
	__pipeline_wait_prior(0);

	for (int j = 0; j < PER; ++j)
		cosines[(size_t)(blockIdx.y * EDGE + threadIdx.y) * b_cols +
			blockIdx.x * EDGE + threadIdx.x + 8 * j] = dots[j] * rsqrtf(norm);
}
