// Two kernels in one file: column means without any tile, then the covariance matrix from tiles of centred rows.
#include <cuda_runtime.h>

#define COLS 16
#define ROWS 16

typedef struct { int rows, cols; } shape_t;   /* host bookkeeping */

// pipelinify: launch column_means
//   sizes  rows=5,40 cols=20
//   target rows=1048576 cols=1024
//   grid   (cols + 63) / 64
//   block  64
//   x:     in  [rows * cols] random
//   mean:  out [cols]
//   rows:  rows
//   cols:  cols
__global__ void column_means(const float *x, float *mean, int rows, int cols)
{
	int c = blockIdx.x * blockDim.x + threadIdx.x;
	float s = 0.f;
	if (c >= cols)
		return;
	for (int r = 0; r < rows; r++)
		s += x[r * cols + c];
	mean[c] = s / rows;
}

// pipelinify: launch covariance
//   sizes  rows=1,15,16,17,32,48,64,80,100 cols=16
//   sizes  rows=40 cols=21
//   target rows=1048576 cols=1024
//   grid   (cols + 15) / 16, (cols + 15) / 16
//   block  16, 16
//   x:     in  [rows * cols] random
//   mean:  in  [cols] random
//   cov:   out [cols * cols]
//   rows:  rows
//   cols:  cols
//   work   flops 2 * rows * cols * cols
__global__ void covariance(const float *x, const float *mean, float *cov, int rows, int cols)
{
	__shared__ float u[ROWS][COLS];
	__shared__ float v[ROWS][COLS];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int ci = blockIdx.y * COLS + tx;	/* column that this thread loads for u */
	const int cj = blockIdx.x * COLS + tx;	/* and for v, and writes */
	const float mi = ci < cols ? mean[ci] : 0.f;
	const float mj = cj < cols ? mean[cj] : 0.f;
	float s = 0.f;
	int r;

	// pipelinify: ldg-single, 1 stage, source 0eb451ef
	r = 0;
	if (r < rows) {
		if (r + ty < rows && ci < cols)
			u[ty][tx] = x[(r + ty) * cols + ci] - mi;
		else
			u[ty][tx] = 0.f;
		if (r + ty < rows && cj < cols)
			v[ty][tx] = x[(r + ty) * cols + cj] - mj;
		else
			v[ty][tx] = 0.f;
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (r += ROWS; r < rows; r += ROWS) {
			float u_next;
			float v_next;
			if (r + ty < rows && ci < cols)
				u_next = x[(r + ty) * cols + ci];
			if (r + ty < rows && cj < cols)
				v_next = x[(r + ty) * cols + cj];

			for (int k = 0; k < ROWS; k++)
				s += u[k][ty] * v[k][tx];
			__syncthreads();
			if (r + ty < rows && ci < cols)
				u[ty][tx] = u_next - mi;
			else
				u[ty][tx] = 0.f;
			if (r + ty < rows && cj < cols)
				v[ty][tx] = v_next - mj;
			else
				v[ty][tx] = 0.f;
			__syncthreads();
		}
		for (int k = 0; k < ROWS; k++)
			s += u[k][ty] * v[k][tx];
	}

	const int row = blockIdx.y * COLS + ty;
	if (row < cols && cj < cols)
		cov[row * cols + cj] = s / (r > ROWS ? rows - 1 : rows);	/* r lives on after the loop */
}

void covariance_matrix(const float *x, float *mean, float *cov, int rows, int cols)
{
	shape_t s = { rows, cols };
	column_means<<<(s.cols + 63) / 64, 64>>>(x, mean, s.rows, s.cols);
	dim3 grid((s.cols + COLS - 1) / COLS, (s.cols + COLS - 1) / COLS), block(COLS, ROWS);
	covariance<<<grid, block>>>(x, mean, cov, s.rows, s.cols);
}
