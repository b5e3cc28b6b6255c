struct Params {
    const float *q;
    const float *k;
    float *scores;
    int d;
};

// All pointers come in one struct: none of them can be told from another.
__global__ void qk_scores(const Params p, int tiles)
{
	__shared__ float key[16][17];
	const int x = threadIdx.x, y = threadIdx.y;

	for (int t = 0; t < tiles; t++) {
		key[y][x] = p.k[(t * 16 + y) * 16 + x];
		__syncthreads();
		float s = 0.f;
		for (int i = 0; i < 16; i++)
			s += p.q[(blockIdx.x * 16 + y) * 16 + i] * key[x][i];
		p.scores[((blockIdx.x * 16 + y) * tiles + t) * 16 + x] = s * rsqrtf((float)p.d);
		__syncthreads();
	}
}
