// Counts inliers of line hypotheses; the tile size is a template parameter and the file launches several of them.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch count_inliers<32>
//   sizes  nlines=32 npts=0,1,31,32,33,64,96,128,160,250
//   sizes  nlines=70 npts=100
//   target nlines=1024 npts=1048576
//   grid   (nlines + 31) / 32
//   block  32
//   lines: in  [nlines] random
//   pts:   in  [npts] random
//   inliers: out [nlines]
//   tolerance: 0.2
//   nlines: nlines
//   npts:  npts
//
// pipelinify: launch count_inliers<64>
//   sizes  nlines=64 npts=0,64,65,128,192,300
//   target nlines=4096 npts=1048576
//   grid   (nlines + 63) / 64
//   block  64
//   lines: in  [nlines] random
//   pts:   in  [npts] random
//   inliers: out [nlines]
//   tolerance: 0.1
//   nlines: nlines
//   npts:  npts
//
// pipelinify: launch count_inliers<128>
//   sizes  nlines=129 npts=128,400
//   target nlines=16384 npts=1048576
//   grid   (nlines + 127) / 128
//   block  128
//   lines: in  [nlines] random
//   pts:   in  [npts] random
//   inliers: out [nlines]
//   tolerance: 0.3
//   nlines: nlines
//   npts:  npts
template <unsigned Tile>
__global__ void count_inliers(const float3 *lines, const float2 *pts, unsigned *inliers,
                              float tolerance, unsigned nlines, unsigned npts)
{
	__shared__ float2 cloud_stage[2][Tile];
	const unsigned h = blockIdx.x * Tile + threadIdx.x;
	float3 line = make_float3(0.f, 0.f, 1e30f);
	unsigned good = 0;

	if (h < nlines)
		line = lines[h];

	const unsigned tiles = npts / Tile + (npts % Tile != 0);
	// pipelinify: cp.async, 2 stages, source dfbf5029
	unsigned t_load = 0;
	// Starts to copy the next tile to a stage, if there is one.
	auto copy_tile = [&](int load_stage)
	{
		if (t_load < tiles)
		{
			const unsigned p = t_load * Tile + threadIdx.x;
			if (p < npts)
				__pipeline_memcpy_async(&cloud_stage[load_stage][threadIdx.x], &pts[p], sizeof(float2));
			else
				cloud_stage[load_stage][threadIdx.x] = make_float2(1e30f, 1e30f);
			++t_load;
		}
		__pipeline_commit();
	};
	copy_tile(0);
	int stage = 0;
	// Main loop: 1 tile is in flight while computing on one.
	for (unsigned t = 0; t < tiles; ++t)
	{
		__pipeline_wait_prior(0);
		__syncthreads();
		copy_tile(stage ^ 1);

		for (unsigned k = 0; k < Tile; ++k)
		{
			const float d = line.x * cloud_stage[stage][k].x + line.y * cloud_stage[stage][k].y + line.z;
			good += fabsf(d) < tolerance;
		}
		stage ^= 1;
	}
	__pipeline_wait_prior(0);

	if (h < nlines)
		inliers[h] = good;
}

template <unsigned Tile>
static void launch(const float3 *lines, const float2 *pts, unsigned *inliers, float tol, unsigned nl, unsigned np)
{
	count_inliers<Tile><<<(nl + Tile - 1) / Tile, Tile>>>(lines, pts, inliers, tol, nl, np);
}

void countInliers(const float3 *lines, const float2 *pts, unsigned *inliers, float tol, unsigned nl, unsigned np)
{
	if (nl <= 2048)
		launch<32>(lines, pts, inliers, tol, nl, np);
	else if (nl <= 8192)
		launch<64>(lines, pts, inliers, tol, nl, np);
	else
		launch<128>(lines, pts, inliers, tol, nl, np);
}
