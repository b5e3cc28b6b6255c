// y = A^T x for a row-major A: threads own columns, the first 32 threads stage a slice of x; the last slice is short.
#include <cuda_runtime.h>
#include <algorithm>

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
	__shared__ float xs_stage[2][SLICE];
	const int tx = threadIdx.x;
	const int col = blockIdx.x * blockDim.x + tx;
	float dot = 0;

	// pipelinify: ldg, 2 stages, source ce54db40
	int r0 = 0, r0_tile = r0, stage = 0;
	if (r0 < rows) {
		auto compute_tile = [&]() {
			const int len = min(SLICE, rows - r0_tile);
			if (col < cols)
				for (int i = 0; i < len; i++)
					dot += A[(r0_tile + i) * lda + col] * xs_stage[stage][i];
		};
		if (tx < SLICE && r0 + tx < rows)
			xs_stage[0][tx] = x[r0 + tx];
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (r0 += SLICE; r0 < rows; r0 += SLICE) {
			float xs_next;
			if (tx < SLICE && r0 + tx < rows)
				xs_next = x[r0 + tx];
			compute_tile();
			r0_tile += SLICE;
			stage ^= 1;
			if (tx < SLICE && r0 + tx < rows)
				xs_stage[stage][tx] = xs_next;
			__syncthreads();
		}
		compute_tile();
		__syncthreads();
	}

	if (col < cols)
		y[col] = dot;
}

void gemv_transposed(const float *A, int lda, const float *x, float *y, int rows, int cols)
{
	gemv_t<<<(cols + 63) / 64, 64>>>(A, lda, x, y, rows, cols);
}
