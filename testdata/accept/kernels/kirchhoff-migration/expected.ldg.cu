#include <cuda_runtime.h>

/*
 * Zero-offset Kirchhoff migration of one depth. Declarations at the top, as the
 * CPU version has them: the number of traces in the tile is no local of the body.
 */
#define NTRACE 32

// pipelinify: launch migrate
//   sizes    nx=32,40 ntr=0,1,31,32,33,64,96,100,200
//   target   nx=65536 ntr=4096
//   grid     (nx + 63) / 64
//   block    64
//   sx:      in  [ntr]
//   rx:      in  [ntr]
//   amp:     in  [ntr]
//   image:   inout [nx]
//   nx:      nx
//   ntr:     ntr
//   dx:      0.05
//   depth:   1.5
__global__ void migrate(const float *sx, const float *rx, const float *amp,
			float *image, int nx, int ntr, float dx, float depth)
{
	__shared__ float ssx_stage[2][NTRACE], srx_stage[2][NTRACE], samp_stage[2][NTRACE];
	int ix, itr, jtr, from, ntile;
	float x, ts, tr, sum;

	ix = blockIdx.x * blockDim.x + threadIdx.x;
	x = ix * dx;
	sum = 0.0f;
	// pipelinify: ldg, 2 stages, source 8648c4c1
	itr = 0;
	int itr_tile = itr;
	int ntile_tile;
	if (itr < ntr) {
		int stage = 0;
		auto compute_tile = [&]() {
			ntile_tile = ntr - itr_tile;
			if (ntile_tile > NTRACE)
				ntile_tile = NTRACE;
			for (jtr = 0; jtr < ntile_tile; jtr++) {
				ts = hypotf(ssx_stage[stage][jtr] - x, depth);
				tr = hypotf(srx_stage[stage][jtr] - x, depth);
				sum += samp_stage[stage][jtr] / (ts * tr);
			}
		};
		ntile = ntr - itr;
		if (ntile > NTRACE)
			ntile = NTRACE;
		if (threadIdx.x < NTRACE) {
			from = threadIdx.x < ntile ? itr + threadIdx.x : ntr - 1;
			ssx_stage[0][threadIdx.x] = sx[from];
			srx_stage[0][threadIdx.x] = rx[from];
			samp_stage[0][threadIdx.x] = amp[from];
		}
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (itr += NTRACE; itr < ntr; itr += NTRACE) {
			float ssx_next;
			float srx_next;
			float samp_next;
			ntile = ntr - itr;
			if (ntile > NTRACE)
				ntile = NTRACE;
			if (threadIdx.x < NTRACE) {
				from = threadIdx.x < ntile ? itr + threadIdx.x : ntr - 1;
				ssx_next = sx[from];
				srx_next = rx[from];
				samp_next = amp[from];
			}
			compute_tile();
			itr_tile += NTRACE;
			stage ^= 1;
			if (threadIdx.x < NTRACE) {
				ssx_stage[stage][threadIdx.x] = ssx_next;
				srx_stage[stage][threadIdx.x] = srx_next;
				samp_stage[stage][threadIdx.x] = samp_next;
			}
			__syncthreads();
		}
		compute_tile();
	}
	if (ix < nx)
		image[ix] += sum;
}
