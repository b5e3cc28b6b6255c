// One block doubles an array tile by tile; nothing in the signature says that in and out are apart.

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
	__shared__ float buf[TILE];

	const int tid = threadIdx.x;

	// pipelinify: ldg-single, 1 stage, source 32e50dc2
	int t = 0, t_tile = t;
	if (t < (n + TILE - 1) / TILE)
	{
		auto compute_tile = [&]()
		{
			const int idx = t_tile * TILE + tid;
			if (idx < n)
				out[idx] = buf[tid] * 2.0f;
		};
		if (t * TILE + tid < n)
			buf[tid] = in[t * TILE + tid];
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (t++; t < (n + TILE - 1) / TILE; t++)
		{
			float buf_next;
			if (t * TILE + tid < n)
				buf_next = in[t * TILE + tid];
			compute_tile();
			t_tile++;
			__syncthreads();
			if (t * TILE + tid < n)
				buf[tid] = buf_next;
			__syncthreads();
		}
		compute_tile();
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
