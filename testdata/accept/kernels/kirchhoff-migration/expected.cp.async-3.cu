#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
	constexpr int stages = 3;
	__shared__ float ssx_stage[stages][NTRACE], srx_stage[stages][NTRACE], samp_stage[stages][NTRACE];
	int ix, itr, jtr, from, ntile;
	float x, ts, tr, sum;

	ix = blockIdx.x * blockDim.x + threadIdx.x;
	x = ix * dx;
	sum = 0.0f;
	// pipelinify: cp.async, 3 stages, source 8648c4c1
	itr = 0;
	int itr_load = itr;
	int ntile_load;
	// Starts to copy the next tile to a stage, if there is one.
	auto copy_tile = [&](int load_stage) {
		if (itr_load < ntr) {
			ntile_load = ntr - itr_load;
			if (ntile_load > NTRACE)
				ntile_load = NTRACE;
			if (threadIdx.x < NTRACE) {
				from = threadIdx.x < ntile_load ? itr_load + threadIdx.x : ntr - 1;
				__pipeline_memcpy_async(&ssx_stage[load_stage][threadIdx.x], &sx[from],
				                        sizeof(float));
				__pipeline_memcpy_async(&srx_stage[load_stage][threadIdx.x], &rx[from],
				                        sizeof(float));
				__pipeline_memcpy_async(&samp_stage[load_stage][threadIdx.x], &amp[from],
				                        sizeof(float));
			}
			itr_load += NTRACE;
		}
		__pipeline_commit();
	};
	for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
		copy_tile(load_stage);
	int stage = 0;
	// Main loop: stages - 1 tiles are in flight while computing on one.
	for (; itr < ntr; itr += NTRACE) {
		__pipeline_wait_prior(stages - 2);
		__syncthreads();
		copy_tile(stage == 0 ? stages - 1 : stage - 1);
		ntile = ntr - itr;
		if (ntile > NTRACE)
			ntile = NTRACE;
		for (jtr = 0; jtr < ntile; jtr++) {
			ts = hypotf(ssx_stage[stage][jtr] - x, depth);
			tr = hypotf(srx_stage[stage][jtr] - x, depth);
			sum += samp_stage[stage][jtr] / (ts * tr);
		}
		stage = stage == stages - 1 ? 0 : stage + 1;
	}
	__pipeline_wait_prior(0);
	if (ix < nx)
		image[ix] += sum;
}
