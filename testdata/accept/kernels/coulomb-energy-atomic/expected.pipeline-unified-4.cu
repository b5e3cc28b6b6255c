// Total Coulomb energy: pairs i < j from tiles of charges, a block sum, one atomicAdd a block after the loop.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

#define NTHREADS 128

// pipelinify: launch coulomb_energy
//   sizes  n=1,127,128,129,256,300,384,512,640
//   target n=65536
//   grid   (n + 127) / 128
//   block  128
//   q:     in [n] range(-2, 2)
//   n:     n
//   energy: inout [1] const(0)
__global__ void coulomb_energy(const float4 *q, int n, unsigned long long *energy)
{
	constexpr int stages = 4;
	__shared__ float4 tile_stage[stages][NTHREADS];
	__shared__ long long sums[NTHREADS];
	const int tid = threadIdx.x;
	const int i = blockIdx.x * NTHREADS + tid;
	float4 qi = make_float4(0, 0, 0, 0);
	long long e = 0;	/* fixed point, so that the order of the sum does not matter */

	if (i < n)
		qi = q[i];

	/* only tiles from the block's own on: each pair once */
	// pipelinify: pipeline-unified, 4 stages, source f01c50fb
	#pragma nv_diagnostic push
	#pragma nv_diag_suppress static_var_with_dynamic_init
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> pipe_state;
	#pragma nv_diagnostic pop
	auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state);
	int t_load = blockIdx.x, stage = 0;
	int load_stage = 0, begun = 0;
	for (int t = blockIdx.x; t < gridDim.x; ++t) {
		// Fetch loop: starts to copy to all stages that are free.
		for (; begun < stages; ++begun) {
			pipe.producer_acquire();
			if (t_load < gridDim.x) {
				const int j = t_load * NTHREADS + tid;
				if (j < n) {
					cuda::memcpy_async(&tile_stage[load_stage][tid], &q[j],
					                   cuda::aligned_size_t<sizeof(float4)>(sizeof(float4)), pipe);
				} else {
					tile_stage[load_stage][tid] = make_float4(0, 0, 0, 0);
				}
				++t_load;
			}
			pipe.producer_commit();
			load_stage = load_stage == stages - 1 ? 0 : load_stage + 1;
		}
		pipe.consumer_wait();
		for (int k = 0; k < NTHREADS; ++k) {
			if (t * NTHREADS + k > i) {
				const float dx = tile_stage[stage][k].x - qi.x;
				const float dy = tile_stage[stage][k].y - qi.y;
				const float dz = tile_stage[stage][k].z - qi.z;
				const float r = sqrtf(dx * dx + dy * dy + dz * dz) + 0.01f;
				e += (long long)(qi.w * tile_stage[stage][k].w / r * 65536.0f);
			}
		}
		pipe.consumer_release();
		stage = stage == stages - 1 ? 0 : stage + 1;
		--begun;
	}
	for (; begun > 0; --begun) {
		pipe.consumer_wait();
		pipe.consumer_release();
	}
	__syncthreads();

	sums[tid] = e;
	__syncthreads();
	for (int s = NTHREADS / 2; s > 0; s >>= 1) {
		if (tid < s)
			sums[tid] += sums[tid + s];
		__syncthreads();
	}
	if (tid == 0)
		atomicAdd(energy, (unsigned long long)sums[0]);
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 4096;
	float4 *h = (float4 *)malloc(n * sizeof(*h)), *d;
	unsigned long long *e, result;
	for (int i = 0; i < n; i++)
		h[i] = make_float4(drand48(), drand48(), drand48(), i % 2 ? 1 : -1);
	cudaMalloc(&d, n * sizeof(*h));
	cudaMalloc(&e, sizeof(*e));
	cudaMemcpy(d, h, n * sizeof(*h), cudaMemcpyHostToDevice);
	cudaMemset(e, 0, sizeof(*e));
	coulomb_energy<<<(n + NTHREADS - 1) / NTHREADS, NTHREADS>>>(d, n, e);
	cudaMemcpy(&result, e, sizeof(*e), cudaMemcpyDeviceToHost);
	printf("E = %g\n", (double)(long long)result / 65536.0);
	return 0;
}
