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
	constexpr int stages = 8;
	__shared__ float buf_stage[stages][TILE];

	const int tid = threadIdx.x;

	// pipelinify: cp.async, 8 stages, source 32e50dc2
	{
		int t = 0;
		auto t_load = t;
		// Starts to copy the next tile to a stage, if there is one.
		auto copy_tile = [&](int load_stage)
		{
			if (t_load < (n + TILE - 1) / TILE)
			{
				auto &buf = buf_stage[load_stage];
				auto &t = t_load;
				if (t * TILE + tid < n)
				{
					__pipeline_memcpy_async(&buf[tid], &in[t * TILE + tid], sizeof(float));
				}
				t++;
			}
			__pipeline_commit();
		};

		// Prologue: start copying the first stages - 1 tiles.
		for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
			copy_tile(load_stage);

		// Main loop: stages - 1 tiles are in flight while computing on one.
		int stage = 0;
		for (; t < (n + TILE - 1) / TILE; t++)
		{
			__pipeline_wait_prior(stages - 2);
			__syncthreads();
			copy_tile(stage == 0 ? stages - 1 : stage - 1);
			{
				auto &buf = buf_stage[stage];
				const int idx = t * TILE + tid;
				if (idx < n)
					out[idx] = buf[tid] * 2.0f;
			}
			stage = stage == stages - 1 ? 0 : stage + 1;
		}

		// Epilogue: every copy has landed.
		__pipeline_wait_prior(0);
	}
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
