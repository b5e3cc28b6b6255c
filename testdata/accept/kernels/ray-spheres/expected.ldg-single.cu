// Closest ray-sphere intersection, spheres are copied tile by tile as structs, the block returns early when the scene is empty.
#include <cuda_runtime.h>

struct Sphere {
	float x, y, z;
	float r;
};

static const int SPHERES_PER_TILE = 64;

// pipelinify: launch trace_primary
//   sizes  nrays=64 nspheres=0,1,63,64,65,128,192,256,320,333
//   sizes  nrays=100 nspheres=130
//   target nrays=2073600 nspheres=1024
//   grid   (nrays + 63) / 64
//   block  64
//   ox:    in  [nrays] random
//   oy:    in  [nrays] random
//   dx:    in  [nrays] random
//   dy:    in  [nrays] random
//   scene: in  [nspheres] range(0.1, 4)
//   nspheres: nspheres
//   nrays: nrays
//   hit_t: inout [nrays] const(1000)
//   hit_id: inout [nrays] const(-1)
__global__ void trace_primary(const float *__restrict__ ox, const float *__restrict__ oy,
			      const float *__restrict__ dx, const float *__restrict__ dy,
			      const Sphere *__restrict__ scene, int nspheres, int nrays,
			      float *__restrict__ hit_t, int *__restrict__ hit_id)
{
	__shared__ Sphere cache[SPHERES_PER_TILE];

	if (nspheres == 0)
		return;		/* same for everybody */

	const int ray = blockIdx.x * blockDim.x + threadIdx.x;
	const bool live = ray < nrays;
	const float px = live ? ox[ray] : 0.f;
	const float py = live ? oy[ray] : 0.f;
	const float vx = live ? dx[ray] : 0.f;
	const float vy = live ? dy[ray] : 0.f;
	const float inv = 1.f / sqrtf(vx * vx + vy * vy + 1.f);
	float nearest = live ? hit_t[ray] : 0.f;
	int   which = -1;

	// pipelinify: ldg-single, 1 stage, source 0de06174
	int base = 0, base_tile = base;
	if (base < nspheres) {
		auto compute_tile = [&]() {
			const int left = min(SPHERES_PER_TILE, nspheres - base_tile);

			if (live) {
				for (int s = 0; s < left; s++) {
					const Sphere &ball = cache[s];
					const float cx = ball.x - px;
					const float cy = ball.y - py;
					const float b = (cx * vx + cy * vy + ball.z) * inv;
					const float c = cx * cx + cy * cy + ball.z * ball.z - ball.r * ball.r;
					const float disc = b * b - c;
					if (disc < 0.f)
						continue;
					const float t = b - sqrtf(disc);
					if (t > 1e-3f && t < nearest) {
						nearest = t;
						which = base_tile + s;
					}
				}
			}
		};
		{
			const int left = min(SPHERES_PER_TILE, nspheres - base);

			if (threadIdx.x < left)
				cache[threadIdx.x] = scene[base + threadIdx.x];
		}
		base += SPHERES_PER_TILE;
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (; base < nspheres; base += SPHERES_PER_TILE) {
			Sphere cache_next;
			const int left = min(SPHERES_PER_TILE, nspheres - base);

			if (threadIdx.x < left)
				cache_next = scene[base + threadIdx.x];
			compute_tile();
			base_tile += SPHERES_PER_TILE;
			__syncthreads();
			if (threadIdx.x < left)
				cache[threadIdx.x] = cache_next;
			__syncthreads();
		}
		compute_tile();
	}

	if (live) {
		hit_t[ray] = nearest;
		hit_id[ray] = which;
	}
}
