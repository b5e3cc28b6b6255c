// Records of the last tile, of which there may be fewer: a guard counts them, and they are stored word by word.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
	constexpr int stages = 4;
	__shared__ Particle cache_stage[stages][32];
	const int me = blockIdx.x * blockDim.x + threadIdx.x;
	float3 mine = make_float3(0.f, 0.f, 0.f);
	if (me < n)
		mine = make_float3(px[me], py[me], pz[me]);
	float sum = 0.f;

	// pipelinify: cp.async, 4 stages, source d583610e
	int first_load = 0, stage = 0;
	// Starts to copy the next tile to a stage, if there is one.
	auto copy_tile = [&](int load_stage) {
		if (first_load < n) {
			const int other = first_load + threadIdx.x;
			if (other < n) {
				__pipeline_memcpy_async(&cache_stage[load_stage][threadIdx.x].pos.x, &px[other], sizeof(float));
				__pipeline_memcpy_async(&cache_stage[load_stage][threadIdx.x].pos.y, &py[other], sizeof(float));
				__pipeline_memcpy_async(&cache_stage[load_stage][threadIdx.x].pos.z, &pz[other], sizeof(float));
				__pipeline_memcpy_async(&cache_stage[load_stage][threadIdx.x].mass, &pm[other], sizeof(float));
			}
			first_load += 32;
		}
		__pipeline_commit();
	};
	for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
		copy_tile(load_stage);
	// Main loop: stages - 1 tiles are in flight while computing on one.
	for (int first = 0; first < n; first += 32) {
		__pipeline_wait_prior(stages - 2);
		__syncthreads();
		copy_tile(stage == 0 ? stages - 1 : stage - 1);

		const int stop = min(32, n - first);
		for (int j = 0; j < stop; ++j) {
			const Particle &p = cache_stage[stage][j];
			const float dx = mine.x - p.pos.x;
			const float dy = mine.y - p.pos.y;
			const float dz = mine.z - p.pos.z;
			sum += p.mass * poly6(dx * dx + dy * dy + dz * dz);
		}
		stage = stage == stages - 1 ? 0 : stage + 1;
	}
	__pipeline_wait_prior(0);
	if (me < n)
		rho[me] = sum;
}
