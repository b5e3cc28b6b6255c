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

	for (int t = 0; t < (n + TILE - 1) / TILE; t++)
	{
		if (t * TILE + tid < n)
			buf[tid] = in[t * TILE + tid];
		__syncthreads();

		const int idx = t * TILE + tid;
		if (idx < n)
			out[idx] = buf[tid] * 2.0f;
		__syncthreads();
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
