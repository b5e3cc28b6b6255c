// Votes are added into the tile that was just read.
__global__ void vote_tiles(const int *__restrict__ votes, const int *__restrict__ cand,
                           int *__restrict__ best, int rounds)
{
	__shared__ int tally[128];
	const int me = threadIdx.x;
	int top = 0;

	for (int r = 0; r < rounds; r++) {
		tally[me] = votes[r * 128 + me];
		__syncthreads();
		atomicAdd(&tally[cand[r * 128 + me] & 127], 1);
		__syncthreads();
		top = max(top, tally[127 - me]);
		__syncthreads();
	}
	best[blockIdx.x * 128 + me] = top;
}
