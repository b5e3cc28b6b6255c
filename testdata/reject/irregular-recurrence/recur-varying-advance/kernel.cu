typedef unsigned int u32;

// Segments of different length lie one behind the other; each is read from its
// start, 128 elements at most.
__global__ void segment_heads(const u32 *__restrict__ words,
                              const u32 *__restrict__ seglen, u32 nseg,
                              u32 *__restrict__ digest)
{
	__shared__ u32 head[128];
	u32 h = 2166136261u ^ threadIdx.x;
	u32 off = 0;

	for (u32 s = 0; s < nseg; s++) {
		head[threadIdx.x] = words[off + threadIdx.x];
		off += seglen[s];
		__syncthreads();
		for (int i = 0; i < 128; i += 4)
			h = (h ^ head[(i + threadIdx.x) & 127]) * 16777619u;
		__syncthreads();
	}
	digest[blockIdx.x * 128 + threadIdx.x] = h;
}
