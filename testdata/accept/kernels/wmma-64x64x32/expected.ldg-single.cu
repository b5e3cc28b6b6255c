// fp16 x fp16 -> fp32 matrix product on tensor cores, block tile 64 x 64 x 32.
#include <cuda_fp16.h>
#include <mma.h>

#define BLOCK_M 64
#define BLOCK_N 64
#define BLOCK_K 32
#define WARPS 4
#define THREADS (WARPS * 32)
#define INT4(p) (*(int4 *)(p))

namespace wm = nvcuda::wmma;

// pipelinify: launch hgemm_wmma_k32
//   sizes    m=64 n=64 k=0,32,64,96,128,160
//   sizes    m=64 n=128 k=96
//   target   m=4096 n=4096 k=4096
//   grid     n / 64, m / 64
//   block    128
//   a:       in  [m * k]
//   b:       in  [k * n]
//   c:       out [m * n]
//   m:       m
//   n:       n
//   k:       k
//   work     flops 2 * m * n * k
__global__ __launch_bounds__(THREADS) void hgemm_wmma_k32(half *a, half *b, float *c,
                                                         int m, int n, int k)
{
	__shared__ __align__(128) half sa[BLOCK_M][BLOCK_K];
	__shared__ __align__(128) half sb[BLOCK_K][BLOCK_N];

	int tid = threadIdx.x;
	int warp_row = (tid / 32) >> 1;
	int warp_col = (tid / 32) & 1;
	int bm = blockIdx.y * BLOCK_M;
	int bn = blockIdx.x * BLOCK_N;

	wm::fragment<wm::accumulator, 16, 16, 16, float> frag_c[2][2];
#pragma unroll
	for (int i = 0; i < 2; i++)
#pragma unroll
		for (int j = 0; j < 2; j++)
			wm::fill_fragment(frag_c[i][j], 0.0f);

	int tiles = k / BLOCK_K;
	// pipelinify: ldg-single, 1 stage, source c0cd51d4
	int tile = 0;
	if (tile < tiles) {
		auto compute_tile = [&]() {
#pragma unroll
			for (int kk = 0; kk < BLOCK_K; kk += 16) {
				wm::fragment<wm::matrix_a, 16, 16, 16, half, wm::row_major> frag_a[2];
				wm::fragment<wm::matrix_b, 16, 16, 16, half, wm::row_major> frag_b[2];
#pragma unroll
				for (int i = 0; i < 2; i++) {
					wm::load_matrix_sync(frag_a[i], &sa[warp_row * 32 + i * 16][kk], BLOCK_K);
					wm::load_matrix_sync(frag_b[i], &sb[kk][warp_col * 32 + i * 16], BLOCK_N);
				}
#pragma unroll
				for (int i = 0; i < 2; i++)
#pragma unroll
					for (int j = 0; j < 2; j++)
						wm::mma_sync(frag_c[i][j], frag_a[i], frag_b[j], frag_c[i][j]);
			}
		};
		// two vectors of eight halves a thread and operand
#pragma unroll
		for (int v = tid; v < BLOCK_M * BLOCK_K / 8; v += THREADS) {
			int r = v / (BLOCK_K / 8);
			int q = v % (BLOCK_K / 8) * 8;
			INT4(&sa[r][q]) = INT4(&a[(bm + r) * k + tile * BLOCK_K + q]);
		}
#pragma unroll
		for (int v = tid; v < BLOCK_K * BLOCK_N / 8; v += THREADS) {
			int r = v / (BLOCK_N / 8);
			int q = v % (BLOCK_N / 8) * 8;
			INT4(&sb[r][q]) = INT4(&b[(tile * BLOCK_K + r) * n + bn + q]);
		}
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (tile++; tile < tiles; tile++) {
			int4 sa_next[(BLOCK_M * BLOCK_K / 8) / THREADS];
			int4 sb_next[(BLOCK_K * BLOCK_N / 8) / THREADS];
			// two vectors of eight halves a thread and operand
#pragma unroll
			for (int slot = 0; slot < (BLOCK_M * BLOCK_K / 8) / THREADS; ++slot) {
				int v = tid + slot * THREADS;
				int r = v / (BLOCK_K / 8);
				int q = v % (BLOCK_K / 8) * 8;
				sa_next[slot] = INT4(&a[(bm + r) * k + tile * BLOCK_K + q]);
			}
#pragma unroll
			for (int slot = 0; slot < (BLOCK_K * BLOCK_N / 8) / THREADS; ++slot) {
				int v = tid + slot * THREADS;
				int r = v / (BLOCK_N / 8);
				int q = v % (BLOCK_N / 8) * 8;
				sb_next[slot] = INT4(&b[(tile * BLOCK_K + r) * n + bn + q]);
			}
			compute_tile();
			__syncthreads();
#pragma unroll
			for (int slot = 0; slot < (BLOCK_M * BLOCK_K / 8) / THREADS; ++slot) {
				int v = tid + slot * THREADS;
				int r = v / (BLOCK_K / 8);
				int q = v % (BLOCK_K / 8) * 8;
				INT4(&sa[r][q]) = sa_next[slot];
			}
#pragma unroll
			for (int slot = 0; slot < (BLOCK_K * BLOCK_N / 8) / THREADS; ++slot) {
				int v = tid + slot * THREADS;
				int r = v / (BLOCK_N / 8);
				int q = v % (BLOCK_N / 8) * 8;
				INT4(&sb[r][q]) = sb_next[slot];
			}
			__syncthreads();
		}
		compute_tile();
	}

#pragma unroll
	for (int i = 0; i < 2; i++)
#pragma unroll
		for (int j = 0; j < 2; j++) {
			int row = bm + warp_row * 32 + i * 16;
			int col = bn + warp_col * 32 + j * 16;
			wm::store_matrix_sync(c + row * n + col, frag_c[i][j], n, wm::mem_row_major);
		}
}
