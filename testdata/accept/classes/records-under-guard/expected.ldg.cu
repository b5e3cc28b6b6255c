// Records of the last tile, of which there may be fewer: a guard counts them, and they are stored word by word.
#include <cuda_runtime.h>

#define DIM 3
#define TPB 64

// Repulsion of points, whose coordinates lie side by side.
//
// pipelinify: launch repulsion
//   sizes  n=1,63,64,65,100,129,193,256
//   sizes  n=300
//   target n=65536
//   grid   (n + 63) / 64
//   block  64
//   pos:   in  [n * 3] random
//   force: out [n * 3]
//   n:     n
__global__ void repulsion(const float *pos, float *force, const int n)
{
  __shared__ float s_stage[2][TPB * DIM];
  const int gid = blockIdx.x * TPB + threadIdx.x;
  float me[DIM] = {0.f, 0.f, 0.f}, f[DIM] = {0.f, 0.f, 0.f};
  if (gid < n)
    for (int k = 0; k < DIM; k++)
      me[k] = pos[DIM * gid + k];

  // pipelinify: ldg, 2 stages, source aa1430ef
  int start = 0, start_tile = start, stage = 0;
  if (start < n)
  {
    auto compute_tile = [&]()
    {
      const int cnt = min(TPB, n - start_tile);

      for (int j = 0; j < cnt; j++)
      {
        const float dx = me[0] - s_stage[stage][DIM * j], dy = me[1] - s_stage[stage][DIM * j + 1];
        const float dz = me[2] - s_stage[stage][DIM * j + 2];
        const float w = 1.0f / (dx * dx + dy * dy + dz * dz + 1e-3f);
        f[0] += dx * w; f[1] += dy * w; f[2] += dz * w;
      }
    };
    {
      const int cnt = min(TPB, n - start);
      if (threadIdx.x < cnt)
      {
        for (int k = 0; k < DIM; k++)
          s_stage[0][DIM * threadIdx.x + k] = pos[DIM * (start + threadIdx.x) + k];
      }
    }
    __syncthreads();
    // Main loop: fetch the next tile while computing on this one.
    for (start += TPB; start < n; start += TPB)
    {
      float s_next[DIM];
      const int cnt = min(TPB, n - start);
      if (threadIdx.x < cnt)
      {
        #pragma unroll
        for (int k = 0; k < DIM; k++)
          s_next[k] = pos[DIM * (start + threadIdx.x) + k];
      }
      compute_tile();
      start_tile += TPB;
      stage ^= 1;
      if (threadIdx.x < cnt)
      {
        #pragma unroll
        for (int k = 0; k < DIM; k++)
          s_stage[stage][DIM * threadIdx.x + k] = s_next[k];
      }
      __syncthreads();
    }
    compute_tile();
  }
  if (gid < n)
    for (int k = 0; k < DIM; k++)
      force[DIM * gid + k] = f[k];
}

struct Particle { float3 pos; float mass; };

__device__ __host__ inline float poly6(float r2)
{
	const float d = 0.64f - r2;
	return d > 0.0f ? d * d * d : 0.0f;
}

// Density by smoothed particles. Each is gathered from four arrays, member by member.
//
// pipelinify: launch sph_density
//   sizes  n=1,31,32,33,64,65,100,129,200
//   target n=32768
//   grid   (n + 31) / 32
//   block  32
//   rho: out [n]
//   px:  in  [n] random
//   py:  in  [n] random
//   pz:  in  [n] random
//   pm:  in  [n] random
//   n:   n
__global__ void sph_density(float *__restrict__ rho, const float *__restrict__ px,
                            const float *__restrict__ py, const float *__restrict__ pz,
                            const float *__restrict__ pm, int n)
{
	__shared__ Particle cache_stage[2][32];
	const int me = blockIdx.x * blockDim.x + threadIdx.x;
	float3 mine = make_float3(0.f, 0.f, 0.f);
	if (me < n)
		mine = make_float3(px[me], py[me], pz[me]);
	float sum = 0.f;

	// pipelinify: ldg, 2 stages, source d583610e
	int first = 0, first_tile = first, stage = 0;
	if (first < n) {
		auto compute_tile = [&]() {
			const int stop = min(32, n - first_tile);
			for (int j = 0; j < stop; ++j) {
				const Particle &p = cache_stage[stage][j];
				const float dx = mine.x - p.pos.x;
				const float dy = mine.y - p.pos.y;
				const float dz = mine.z - p.pos.z;
				sum += p.mass * poly6(dx * dx + dy * dy + dz * dz);
			}
		};
		{
			const int other = first + threadIdx.x;
			if (other < n) {
				cache_stage[0][threadIdx.x].pos.x = px[other];
				cache_stage[0][threadIdx.x].pos.y = py[other];
				cache_stage[0][threadIdx.x].pos.z = pz[other];
				cache_stage[0][threadIdx.x].mass = pm[other];
			}
		}
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (first += 32; first < n; first += 32) {
			float cache_next;
			float cache_next2;
			float cache_next3;
			float cache_next4;
			const int other = first + threadIdx.x;
			if (other < n) {
				cache_next = px[other];
				cache_next2 = py[other];
				cache_next3 = pz[other];
				cache_next4 = pm[other];
			}
			compute_tile();
			first_tile += 32;
			stage ^= 1;
			if (other < n) {
				cache_stage[stage][threadIdx.x].pos.x = cache_next;
				cache_stage[stage][threadIdx.x].pos.y = cache_next2;
				cache_stage[stage][threadIdx.x].pos.z = cache_next3;
				cache_stage[stage][threadIdx.x].mass = cache_next4;
			}
			__syncthreads();
		}
		compute_tile();
	}
	if (me < n)
		rho[me] = sum;
}
