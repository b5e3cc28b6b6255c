// Quantised matrix-vector product: char4 tiles of x shared by eight rows a block, one warp a row.
#include <cuda_runtime.h>
#include <stdint.h>

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
	__shared__ char4 xs[QUADS];
	const int lane = threadIdx.x;
	const int row = blockIdx.x * WARPS + threadIdx.y;
	const int tid = threadIdx.y * 32 + lane;
	const int quads = cols >> 2;
	const char4 *x4 = (const char4 *)x;
	const char4 *w4 = (const char4 *)(W + (int64_t)row * cols);
	int sum = 0;

	// pipelinify: ldg-single, 1 stage, source c8244aa4
	int base = 0, base_tile = base;
	if (base < quads) {
		auto compute_tile = [&]() {
			if (row < rows) {
				for (int i = lane; i < min(QUADS, quads - base_tile); i += 32) {
					const char4 w = w4[base_tile + i];
					const char4 v = xs[i];
					sum += w.x * v.x + w.y * v.y + w.z * v.z + w.w * v.w;
				}
			}
		};
		xs[tid] = base + tid < quads ? x4[base + tid] : make_char4(0, 0, 0, 0);
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (base += QUADS; base < quads; base += QUADS) {
			char4 xs_next = base + tid < quads ? x4[base + tid] : make_char4(0, 0, 0, 0);
			compute_tile();
			base_tile += QUADS;
			__syncthreads();
			xs[tid] = xs_next;
			__syncthreads();
		}
		compute_tile();
	}

	#pragma unroll
	for (int m = 16; m; m >>= 1)
		sum += __shfl_xor_sync(0xffffffff, sum, m);
	if (lane == 0 && row < rows)
		y[row] = scale[row] * (float)sum;
}
