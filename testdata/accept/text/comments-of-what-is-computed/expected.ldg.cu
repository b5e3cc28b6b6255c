// A comment behind a statement goes where what it speaks of is done: the arithmetic of a loaded value, or both arms.
#define STAGE 32

// pipelinify: launch csr_spmm
//   sizes rows=1,3 nnz=0,1,31,32,33,100
//   target rows=512 nnz=4096
//   grid rows
//   block 32
//   nnz: nnz
//   colidx: in [rows * nnz] range(0, 15)
//   val: in [rows * nnz] range(-1, 1)
//   B: in [16 * 32] range(-1, 1)
//   ldb: 32
//   C: out [rows * 32]
__global__ void csr_spmm(int nnz, const int *__restrict__ colidx, const float *__restrict__ val,
                         const float *__restrict__ B, int ldb, float *__restrict__ C)
{
    __shared__ int s_col_stage[2][STAGE];
    __shared__ float s_val_stage[2][STAGE];
    int begin = blockIdx.x * nnz, end = begin + nnz;
    float acc = 0.f;
    // pipelinify: ldg, 2 stages, source 51988a5f
    int p = begin, p_tile = p, stage = 0;
    if (p < end) {
        auto compute_tile = [&]() {
            int cnt = min(STAGE, end - p_tile);
            for (int j = 0; j < cnt; ++j)
                acc += s_val_stage[stage][j] * B[s_col_stage[stage][j] + threadIdx.x];
        };
        {
            int i = p + threadIdx.x;
            if (i < end) {
                s_col_stage[0][threadIdx.x] = colidx[i] * ldb;  // offset of the row, not its number
                s_val_stage[0][threadIdx.x] = val[i];           // as it is
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (p += STAGE; p < end; p += STAGE) {
            int s_col_next;
            float s_val_next;
            int i = p + threadIdx.x;
            if (i < end) {
                s_col_next = colidx[i];
                s_val_next = val[i];  // as it is
            }
            compute_tile();
            p_tile += STAGE;
            stage ^= 1;
            if (i < end) {
                s_col_stage[stage][threadIdx.x] = s_col_next * ldb;  // offset of the row, not its number
                s_val_stage[stage][threadIdx.x] = s_val_next;
            }
            __syncthreads();
        }
        compute_tile();
    }
    C[blockIdx.x * STAGE + threadIdx.x] = acc;
}

// pipelinify: launch histogram
//   sizes n=0,1,255,256,600
//   target n=65536
//   grid 2
//   block 256
//   symbols: in [n + 1] range(0, 255)
//   weights: in [n + 1] range(0, 1)
//   bins: out [2 * 256]
//   n: n
__global__ void histogram(const unsigned char *__restrict__ symbols, const float *__restrict__ weights,
                          float *__restrict__ bins, int n)
{
	__shared__ unsigned char sym_stage[2][256];
	__shared__ float wgt_stage[2][256];
	float total = 0.0f;
	// pipelinify: ldg, 2 stages, source 0709957f
	int first = 0, stage = 0;
	if (first < n) {
		{
			const int i = first + threadIdx.x;
			sym_stage[0][threadIdx.x] = i < n ? symbols[i] : '\0';	/* padded with a symbol that is there ... */
			wgt_stage[0][threadIdx.x] = i < n ? weights[i] : 0.0f;	/* ... but has no weight */
		}
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (first += 256; first < n; first += 256) {
			const int i = first + threadIdx.x;
			/* padded with a symbol that is there ... */
			unsigned char sym_next = '\0';
			if (i < n)
				sym_next = symbols[i];
			float wgt_next = i < n ? weights[i] : 0.0f;	/* ... but has no weight */
			for (int j = 0; j < 256; ++j)
				if (sym_stage[stage][j] == threadIdx.x)
					total += wgt_stage[stage][j];
			stage ^= 1;
			sym_stage[stage][threadIdx.x] = sym_next;
			wgt_stage[stage][threadIdx.x] = wgt_next;
			__syncthreads();	/* before the next tile is stored */
		}
		for (int j = 0; j < 256; ++j)
			if (sym_stage[stage][j] == threadIdx.x)
				total += wgt_stage[stage][j];
	}
	bins[blockIdx.x * 256 + threadIdx.x] = total;
}

void go(const int *c, const float *v, const float *B, float *C, const unsigned char *s, float *h, int n)
{
    csr_spmm<<<64, STAGE>>>(n, c, v, B, STAGE, C);
    histogram<<<2, 256>>>(s, v, h, n);
}
