// Values of several lines that are lined up, comments behind them and behind the loop, a do loop
// whose condition has a line of its own.

#include <cuda_pipeline.h>

// pipelinify: launch blend
//   sizes n=0,1,2,5
//   grid  1
//   block 64
//   a:   in  [n * 64 + 64] range(-1, 1)
//   m:   in  [n * 64 + 64] range(-1, 1)
//   out: out [64]
//   n:   n
__global__ void blend(const float *__restrict__ a, const float *__restrict__ m,
                      float *__restrict__ out, int n)
{
    __shared__ float mixed_stage[2][64], plain_stage[2][64];
    int i = threadIdx.x;
    float r = 0;
    // pipelinify: cp.async, 2 stages, source 2e342bb0
    int k = 0, stage = 0;
    if (k < n) {
        mixed_stage[0][i] = a[k * 64 + i] * m[k * 64 + i] +
                            a[(k + 1) * 64 + i] *
                                (1.0f - m[k * 64 + i]); // of two
        __pipeline_memcpy_async(&plain_stage[0][i], &a[k * 64 + i], sizeof(float)); // as it is
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
        // Main loop: copy or fetch the next tile while computing on this one.
        for (++k; k < n; ++k) { // one row
            float mixed_next = a[k * 64 + i];
            float mixed_next2 = m[k * 64 + i];
            float mixed_next3 = a[(k + 1) * 64 + i];
            float mixed_next4 = m[k * 64 + i];
            __pipeline_memcpy_async(&plain_stage[stage ^ 1][i], &a[k * 64 + i], sizeof(float)); // as it is
            __pipeline_commit();
            for (int j = 0; j < 64; ++j)
                r += fmaxf(mixed_stage[stage][j] * 0.5f,
                           plain_stage[stage][(i + j) % 64]);
            stage ^= 1;
            mixed_stage[stage][i] = mixed_next * mixed_next2 +
                                    mixed_next3 *
                                        (1.0f - mixed_next4); // of two
            __pipeline_wait_prior(0);
            __syncthreads();
        } // for k
        for (int j = 0; j < 64; ++j)
            r += fmaxf(mixed_stage[stage][j] * 0.5f,
                       plain_stage[stage][(i + j) % 64]);
    }
    out[i] = r;
}

// pipelinify: launch at_least_once
//   sizes n=1,2,5
//   grid  1
//   block 64
//   a:   in  [n * 64 + 64] range(-1, 1)
//   out: out [64]
//   n:   n
__global__ void at_least_once(const float *__restrict__ a, float *__restrict__ out, int n)
{
	__shared__ float row_stage[2][64];
	int k = 0;
	float r = 0;
	// pipelinify: cp.async, 2 stages, source 1ab6a903
	int k_load = k, stage = 0;
	bool more = true;
	// Starts to copy the next tile to a stage, if there is one.
	auto copy_tile = [&](int load_stage)
	{
		if (more)
		{
			__pipeline_memcpy_async(&row_stage[load_stage][threadIdx.x],
			                        &a[k_load * 64 + threadIdx.x], sizeof(float));
			++k_load;
			more = k_load < n;
		}
		__pipeline_commit();
	};
	copy_tile(0);
	// Main loop: 1 tile is in flight while computing on one.
	do
	{
		__pipeline_wait_prior(0);
		__syncthreads();
		copy_tile(stage ^ 1);
		for (int j = 0; j < 64; ++j)
		{
			r = r * 0.5f + row_stage[stage][(j + threadIdx.x) % 64];
		}
		++k;
		stage ^= 1;
	}
	while (k < n); // the last row
	__pipeline_wait_prior(0);
	out[threadIdx.x] = r;
}
