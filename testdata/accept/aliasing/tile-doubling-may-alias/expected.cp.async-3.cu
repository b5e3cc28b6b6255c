// One block doubles an array tile by tile; nothing in the signature says that in and out are apart.

#include <cuda_pipeline.h>

// pipelinify: launch double_tiles
//   sizes  n=0,1,100,128,129,256,384,500,512,640,1153
//   target n=16777216
//   grid   1
//   block  128
//   in:    in  [n] random
//   out:   out [n]
//   n:     n
//   work   bytes 8 * n
__global__ void double_tiles(const float* in, float* out, int n)
{
	constexpr int TILE = 128;
	constexpr int stages = 3;
	__shared__ float buf_stage[stages][TILE];

	const int tid = threadIdx.x;

	// pipelinify: cp.async, 3 stages, source 32e50dc2
	int t_load = 0, stage = 0;
	// Starts to copy the next tile to a stage, if there is one.
	auto copy_tile = [&](int load_stage)
	{
		if (t_load < (n + TILE - 1) / TILE)
		{
			if (t_load * TILE + tid < n)
				__pipeline_memcpy_async(&buf_stage[load_stage][tid], &in[t_load * TILE + tid],
				                        sizeof(float));
			t_load++;
		}
		__pipeline_commit();
	};
	for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
		copy_tile(load_stage);
	// Main loop: stages - 1 tiles are in flight while computing on one.
	for (int t = 0; t < (n + TILE - 1) / TILE; t++)
	{
		__pipeline_wait_prior(stages - 2);
		__syncthreads();
		copy_tile(stage == 0 ? stages - 1 : stage - 1);

		const int idx = t * TILE + tid;
		if (idx < n)
			out[idx] = buf_stage[stage][tid] * 2.0f;
		stage = stage == stages - 1 ? 0 : stage + 1;
	}
	__pipeline_wait_prior(0);
}

int main()
{
	const int n = 1 << 20;
	float *in, *out;
	cudaMallocManaged(&in, n * sizeof(float));
	cudaMallocManaged(&out, n * sizeof(float));
	for (int i = 0; i < n; i++)
		in[i] = (float)i;
	double_tiles<<<1, 128>>>(in, out, n);
	cudaDeviceSynchronize();
	int bad = 0;
	for (int i = 0; i < n; i++)
		bad += out[i] != 2.0f * in[i];
	cudaFree(in);
	cudaFree(out);
	return bad != 0;
}
