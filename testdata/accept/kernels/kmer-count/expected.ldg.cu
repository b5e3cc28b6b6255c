// Counts, for every k-mer of a query set, its approximate matches in a reference text read through byte tiles with an 'N' fill.
typedef unsigned char base_t;

#define CHUNK 128
#define KLEN 8

// pipelinify: launch count_matches
//   sizes  nquery=64 text_len=0,7,8,127,128,129,256,384,400,512,640,900 slack=3
//   sizes  nquery=10 text_len=0,300 slack=3,8
//   target nquery=65536 text_len=1048576 slack=3
//   grid   (nquery + 127) / 128
//   block  128
//   queries: in  [nquery * 8] below(3)
//   nquery:  nquery
//   text:    in  [text_len] below(3)
//   text_len: text_len
//   max_mismatch: slack
//   hits:    out [nquery]
__global__ void count_matches(const base_t *queries, int nquery,
			      const base_t *text, int text_len,
			      int max_mismatch, int *hits)
{
	__shared__ base_t ref_stage[2][CHUNK + KLEN - 1];
	base_t pat[KLEN];
	int q = blockIdx.x * CHUNK + threadIdx.x;
	int found = 0;
	int i, k;

	for (k = 0; k < KLEN; k++)
		pat[k] = q < nquery ? queries[q * KLEN + k] : 'X';

	// pipelinify: ldg, 2 stages, source 8dda0ced
	int at = 0, stage = 0;
	if (at < text_len) {
		auto compute_tile = [&]() {
			for (i = 0; i < CHUNK; i++) {
				int wrong = 0;
				for (k = 0; k < KLEN; k++)
					wrong += ref_stage[stage][i + k] != pat[k];
				if (wrong <= max_mismatch)
					found++;
			}
		};
		/* this chunk, and the first bases of the next one */
		ref_stage[0][threadIdx.x] = at + threadIdx.x < text_len ? text[at + threadIdx.x] : 'N';
		if (threadIdx.x < KLEN - 1)
			ref_stage[0][CHUNK + threadIdx.x] = at + CHUNK + threadIdx.x < text_len
				? text[at + CHUNK + threadIdx.x] : 'N';
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (at += CHUNK; at < text_len; at += CHUNK) {
			base_t ref_next2;
			/* this chunk, and the first bases of the next one */
			base_t ref_next = 'N';
			if (at + threadIdx.x < text_len)
				ref_next = text[at + threadIdx.x];
			if (threadIdx.x < KLEN - 1) {
				ref_next2 = 'N';
				if (at + CHUNK + threadIdx.x < text_len)
					ref_next2 = text[at + CHUNK + threadIdx.x];
			}
			compute_tile();
			stage ^= 1;
			ref_stage[stage][threadIdx.x] = ref_next;
			if (threadIdx.x < KLEN - 1)
				ref_stage[stage][CHUNK + threadIdx.x] = ref_next2;
			__syncthreads();
		}
		compute_tile();
	}

	if (q < nquery)
		hits[q] = found;
}
