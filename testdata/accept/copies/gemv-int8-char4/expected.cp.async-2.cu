// Quantised matrix-vector product: char4 tiles of x shared by eight rows a block, one warp a row.
#include <cuda_runtime.h>
#include <stdint.h>
#include <cuda_pipeline.h>

#define WARPS 8
#define QUADS 256	/* char4 elements of x in a tile */

// pipelinify: launch qgemv
//   sizes    rows=8 cols=0,4,1020,1024,1028,2048,3072,4096,5120
//   sizes    rows=1,13 cols=1500
//   target   rows=4096 cols=16384
//   requires rows > 0
//   grid     (rows + 7) / 8
//   block    32, 8
//   W:       in  [rows * cols]
//   x:       in  [cols]
//   scale:   in  [rows]
//   y:       out [rows]
//   rows:    rows
//   cols:    cols
__global__ void __launch_bounds__(WARPS * 32)
qgemv(const int8_t *__restrict__ W, const int8_t *__restrict__ x,
      const float *__restrict__ scale, float *__restrict__ y, int rows, int cols)
{
	__shared__ char4 xs_stage[2][QUADS];
	const int lane = threadIdx.x;
	const int row = blockIdx.x * WARPS + threadIdx.y;
	const int tid = threadIdx.y * 32 + lane;
	const int quads = cols >> 2;
	const char4 *x4 = (const char4 *)x;
	const char4 *w4 = (const char4 *)(W + (int64_t)row * cols);
	int sum = 0;

	// pipelinify: cp.async, 2 stages, source c8244aa4
	int base_load = 0, stage = 0;
	// Starts to copy the next tile to a stage, if there is one.
	auto copy_tile = [&](int load_stage) {
		if (base_load < quads) {
			__pipeline_memcpy_async(&xs_stage[load_stage][tid], &x4[base_load + tid], sizeof(char4),
			                        (base_load + tid < quads) ? 0 : sizeof(char4));
			base_load += QUADS;
		}
		__pipeline_commit();
	};
	copy_tile(0);
	// Main loop: 1 tile is in flight while computing on one.
	for (int base = 0; base < quads; base += QUADS) {
		__pipeline_wait_prior(0);
		__syncthreads();
		copy_tile(stage ^ 1);

		if (row < rows) {
			for (int i = lane; i < min(QUADS, quads - base); i += 32) {
				const char4 w = w4[base + i];
				const char4 v = xs_stage[stage][i];
				sum += w.x * v.x + w.y * v.y + w.z * v.z + w.w * v.w;
			}
		}
		stage ^= 1;
	}
	__pipeline_wait_prior(0);

	#pragma unroll
	for (int m = 16; m; m >>= 1)
		sum += __shfl_xor_sync(0xffffffff, sum, m);
	if (lane == 0 && row < rows)
		y[row] = scale[row] * (float)sum;
}
