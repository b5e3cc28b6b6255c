// y = A^T x for a row-major A: threads own columns, the first 32 threads stage a slice of x; the last slice is short.
#include <cuda_runtime.h>
#include <algorithm>
#include <cuda_pipeline.h>

#define SLICE 32

// pipelinify: launch gemv_t
//   sizes    rows=0,1,31,32,33,64,96,128,161 cols=64
//   sizes    rows=70 cols=1,100
//   let      lda = cols + 1
//   target   rows=8192 cols=8192
//   requires cols > 0
//   grid     (cols + 63) / 64
//   block    64
//   A:       in  [rows * lda]
//   lda:     lda
//   x:       in  [rows]
//   y:       out [cols]
//   rows:    rows
//   cols:    cols
//   work     flops 2 * rows * cols
__global__ void gemv_t(const float *A, int lda, const float *x, float *y, int rows, int cols)
{
	constexpr int stages = 8;
	__shared__ float xs_stage[stages][SLICE];
	const int tx = threadIdx.x;
	const int col = blockIdx.x * blockDim.x + tx;
	float dot = 0;

	// pipelinify: cp.async, 8 stages, source ce54db40
	int r0_load = 0, stage = 0;
	// Starts to copy the next tile to a stage, if there is one.
	auto copy_tile = [&](int load_stage) {
		if (r0_load < rows) {
			if (tx < SLICE && r0_load + tx < rows)
				__pipeline_memcpy_async(&xs_stage[load_stage][tx], &x[r0_load + tx], sizeof(float));
			r0_load += SLICE;
		}
		__pipeline_commit();
	};
	for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
		copy_tile(load_stage);
	// Main loop: stages - 1 tiles are in flight while computing on one.
	for (int r0 = 0; r0 < rows; r0 += SLICE) {
		__pipeline_wait_prior(stages - 2);
		__syncthreads();
		copy_tile(stage == 0 ? stages - 1 : stage - 1);

		const int len = min(SLICE, rows - r0);
		if (col < cols)
			for (int i = 0; i < len; i++)
				dot += A[(r0 + i) * lda + col] * xs_stage[stage][i];
		stage = stage == stages - 1 ? 0 : stage + 1;
	}
	__pipeline_wait_prior(0);
	__syncthreads();

	if (col < cols)
		y[col] = dot;
}

void gemv_transposed(const float *A, int lda, const float *x, float *y, int rows, int cols)
{
	gemv_t<<<(cols + 63) / 64, 64>>>(A, lda, x, y, rows, cols);
}
