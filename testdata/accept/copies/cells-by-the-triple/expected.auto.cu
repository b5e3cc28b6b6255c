// Packed coordinates, copied word by word: as many words as points are left, times the words of a point.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

#define BATCH 64

// Potential of point charges at probes. The positions are x0 y0 z0 x1 y1 z1 ...
//
// pipelinify: launch potential_packed
//   sizes  nprobe=50 n=0,1,63,64,65,130,192,257
//   sizes  nprobe=65 n=333
//   target nprobe=262144 n=8192
//   grid   (nprobe + 63) / 64
//   block  64
//   probe:  in    [nprobe * 3] random
//   pos:    in    [n * 3 + 1] random
//   charge: in    [n + 1] random
//   out:    inout [nprobe] random
//   nprobe: nprobe
//   n:      n
__global__ void potential_packed(const float *__restrict__ probe, const float *__restrict__ pos,
				 const float *__restrict__ charge, float *__restrict__ out,
				 int nprobe, int n)
{
	__shared__ float xyz_stage[2][3 * BATCH];
	__shared__ float q_stage[2][BATCH];

	const int tid = threadIdx.x;
	const int me = blockIdx.x * blockDim.x + tid;
	const int p = min(me, nprobe - 1);
	const float px = probe[3 * p], py = probe[3 * p + 1], pz = probe[3 * p + 2];
	float sum = 0.f;

	// pipelinify: ldg, 2 stages, source afa1580f
	int first = 0, first_tile = first, stage = 0;
	if (first < n) {
		auto compute_tile = [&]() {
			const int m = min(BATCH, n - first_tile);

			for (int j = 0; j < m; ++j) {
				const float dx = xyz_stage[stage][3 * j] - px;
				const float dy = xyz_stage[stage][3 * j + 1] - py;
				const float dz = xyz_stage[stage][3 * j + 2] - pz;
				sum += q_stage[stage][j] * rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f);
			}
		};
		{
			const int m = min(BATCH, n - first);

			for (int k = tid; k < 3 * m; k += blockDim.x)
				xyz_stage[0][k] = pos[3 * first + k];
			for (int k = tid; k < m; k += blockDim.x)
				q_stage[0][k] = charge[first + k];
		}
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (first += BATCH; first < n; first += BATCH) {
			float xyz_next[3];
			float q_next[1];
			const int m = min(BATCH, n - first);

			#pragma unroll
			for (int slot = 0; slot < 3; ++slot) {
				int k = tid + slot * blockDim.x;
				if (k < 3 * m)
					xyz_next[slot] = pos[3 * first + k];
			}
			#pragma unroll
			for (int slot = 0; slot < 1; ++slot) {
				int k = tid + slot * blockDim.x;
				if (k < m)
					q_next[slot] = charge[first + k];
			}
			compute_tile();
			first_tile += BATCH;
			stage ^= 1;
			#pragma unroll
			for (int slot = 0; slot < 3; ++slot) {
				int k = tid + slot * blockDim.x;
				if (k < 3 * m)
					xyz_stage[stage][k] = xyz_next[slot];
			}
			// What has not been fetched ahead.
			for (int k = tid + 3 * blockDim.x; k < 3 * m; k += blockDim.x)
				xyz_stage[stage][k] = pos[3 * first + k];
			#pragma unroll
			for (int slot = 0; slot < 1; ++slot) {
				int k = tid + slot * blockDim.x;
				if (k < m)
					q_stage[stage][k] = q_next[slot];
			}
			// What has not been fetched ahead.
			for (int k = tid + blockDim.x; k < m; k += blockDim.x)
				q_stage[stage][k] = charge[first + k];
			__syncthreads();
		}
		compute_tile();
	}

	if (me < nprobe)
		out[me] += sum;
}

// Squared distances between rows of dim numbers each, the nearest of which is kept.
//
// pipelinify: launch nearest_row
//   sizes  nq=33 n=0,1,15,16,17,47,80 dim=5
//   sizes  nq=64 n=50 dim=1,16
//   target nq=65536 n=4096 dim=16
//   grid   (nq + 31) / 32
//   block  32
//   queries: in    [nq * dim] random
//   rows:    in    [n * dim + 1] random
//   best:    inout [nq] const(1e30)
//   which:   inout [nq] const(-1)
//   nq:      nq
//   n:       n
//   dim:     dim
__global__ void nearest_row(const float *__restrict__ queries, const float *__restrict__ rows,
			    float *__restrict__ best, int *__restrict__ which, int nq, int n,
			    int dim)
{
	constexpr int kRows = 16;
	constexpr int kMostDim = 16;
	constexpr int stages = 4;
	__shared__ float tile_stage[stages][kRows * kMostDim];

	const int q = blockIdx.x * blockDim.x + threadIdx.x;
	const float *mine = queries + (size_t)min(q, nq - 1) * dim;
	float least = best[min(q, nq - 1)];
	int found = -1;

	// pipelinify: cp.async, 4 stages, source 725bf27a
	int r0_load = 0, stage = 0;
	// Starts to copy the next tile to a stage, if there is one.
	auto copy_tile = [&](int load_stage) {
		if (r0_load < n) {
			const int here = min(kRows, n - r0_load);
			const float *from = rows + (size_t)r0_load * dim;

			for (int i = threadIdx.x; i < here * dim; i += blockDim.x)
				__pipeline_memcpy_async(&tile_stage[load_stage][i], &from[i], sizeof(float));
			r0_load += kRows;
		}
		__pipeline_commit();
	};
	for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
		copy_tile(load_stage);
	// Main loop: stages - 1 tiles are in flight while computing on one.
	for (int r0 = 0; r0 < n; r0 += kRows) {
		__pipeline_wait_prior(stages - 2);
		__syncthreads();
		copy_tile(stage == 0 ? stages - 1 : stage - 1);
		const int here = min(kRows, n - r0);

		for (int r = 0; r < here; ++r) {
			float d = 0.f;
			for (int c = 0; c < dim; ++c) {
				const float t = tile_stage[stage][r * dim + c] - mine[c];
				d += t * t;
			}
			if (d < least) {
				least = d;
				found = r0 + r;
			}
		}
		stage = stage == stages - 1 ? 0 : stage + 1;
	}
	__pipeline_wait_prior(0);

	if (q < nq && found >= 0) {
		best[q] = least;
		which[q] = found;
	}
}

// The same with the words of a point as a template's argument, the sum of a Gaussian kernel.
//
// pipelinify: launch kde_points<3>
//   sizes  nq=40 n=0,1,31,32,33,64,100,161,224
//   target nq=65536 n=8192
//   grid   (nq + 63) / 64
//   block  64
//   at:      in    [nq * 3] random
//   samples: in    [n * 3 + 1] random
//   density: inout [nq] random
//   nq:      nq
//   n:       n
template <int DIM>
__global__ void kde_points(const float *__restrict__ at, const float *__restrict__ samples,
			   float *__restrict__ density, int nq, int n)
{
	__shared__ float pts_stage[2][32 * DIM];

	const int q = blockIdx.x * blockDim.x + threadIdx.x;
	float here[DIM];
	for (int c = 0; c < DIM; ++c)
		here[c] = at[min(q, nq - 1) * DIM + c];

	float sum = 0.f;
	// pipelinify: ldg, 2 stages, source 848a17a3
	int s = 0, s_tile = s, stage = 0;
	if (s < n) {
		auto compute_tile = [&]() {
			const int m = n - s_tile < 32 ? n - s_tile : 32;

			for (int j = 0; j < m; ++j) {
				float d = 0.f;
#pragma unroll
				for (int c = 0; c < DIM; ++c) {
					const float t = here[c] - pts_stage[stage][j * DIM + c];
					d += t * t;
				}
				sum += __expf(-d);
			}
		};
		{
			const int m = n - s < 32 ? n - s : 32;
			for (int k = threadIdx.x; k < m * DIM; k += 64)
				pts_stage[0][k] = samples[s * DIM + k];
		}
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (s += 32; s < n; s += 32) {
			float pts_next[2];
			const int m = n - s < 32 ? n - s : 32;
#pragma unroll
			for (int slot = 0; slot < 2; ++slot) {
				int k = threadIdx.x + slot * 64;
				if (k < m * DIM)
					pts_next[slot] = samples[s * DIM + k];
			}
			compute_tile();
			s_tile += 32;
			stage ^= 1;
#pragma unroll
			for (int slot = 0; slot < 2; ++slot) {
				int k = threadIdx.x + slot * 64;
				if (k < m * DIM)
					pts_stage[stage][k] = pts_next[slot];
			}
			// What has not been fetched ahead.
			for (int k = threadIdx.x + 2 * 64; k < m * DIM; k += 64)
				pts_stage[stage][k] = samples[s * DIM + k];
			__syncthreads();
		}
		compute_tile();
	}

	if (q < nq)
		density[q] += sum;
}

template __global__ void kde_points<3>(const float *, const float *, float *, int, int);
