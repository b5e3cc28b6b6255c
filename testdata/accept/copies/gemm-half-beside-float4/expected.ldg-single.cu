// C = A B, A stored in half and widened on its way to the tile, B in float and copied four at a time.
// The tile pointers walk; the loop counts what is left.
#include <cuda_fp16.h>

#define TILE 32
#define DEPTH 16

// pipelinify: launch widened_gemm
//   sizes   m=32 n=32 k=0,16,32,48,64,80
//   sizes   m=64 n=96 k=48
//   target  m=2048 n=2048 k=2048
//   grid    n / 32, m / 32
//   block   128
//   A:      in  [m * k] random
//   B:      in  [k * n] random
//   C:      out [m * n]
//   n:      n
//   k:      k
//   work    flops 2 * m * n * k
__global__ void widened_gemm(const __half *A, const float *B, float *__restrict__ C, int n, int k) {
	__shared__ float a_tile[TILE][DEPTH + 1];
	__shared__ float4 b_tile[DEPTH][TILE / 4];

	int tid = threadIdx.x;
	int cx = tid % 8, cy = tid / 8;
	A += blockIdx.y * TILE * k;
	const float4 *B4 = reinterpret_cast<const float4 *>(B) + blockIdx.x * (TILE / 4);
	float4 lo = make_float4(0, 0, 0, 0), hi = lo;

	int left = k;
	// pipelinify: ldg-single, 1 stage, source 3328a7cb
	if (left > 0) {
		auto compute_tile = [&]() {
			for (int p = 0; p < DEPTH; p++) {
				float4 b = b_tile[p][cx];
				float a = a_tile[cy][p], a2 = a_tile[cy + 16][p];
				lo.x += a * b.x; lo.y += a * b.y; lo.z += a * b.z; lo.w += a * b.w;
				hi.x += a2 * b.x; hi.y += a2 * b.y; hi.z += a2 * b.z; hi.w += a2 * b.w;
			}
		};
		for (int e = tid; e < TILE * DEPTH; e += 128)
			a_tile[e / DEPTH][e % DEPTH] = __half2float(A[(e / DEPTH) * k + e % DEPTH]); // widen
		A += DEPTH;
		b_tile[cy][cx] = B4[cy * (n / 4) + cx]; // 16 bytes
		B4 += DEPTH * (n / 4);
		left -= DEPTH;
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		while (left > 0) {
			__half a_tile_next[TILE * DEPTH / 128];
			#pragma unroll
			for (int slot = 0; slot < TILE * DEPTH / 128; ++slot) {
				int e = (tid < 128 ? tid : 127) + slot * 128;
				a_tile_next[slot] = A[(e / DEPTH) * k + e % DEPTH];
			}
			A += DEPTH;
			float4 b_tile_next = B4[cy * (n / 4) + cx]; // 16 bytes
			compute_tile();
			__syncthreads();
			#pragma unroll
			for (int slot = 0; slot < TILE * DEPTH / 128; ++slot) {
				int e = (tid < 128 ? tid : 127) + slot * 128;
				a_tile[e / DEPTH][e % DEPTH] = __half2float(a_tile_next[slot]); // widen
			}
			b_tile[cy][cx] = b_tile_next;
			B4 += DEPTH * (n / 4);
			left -= DEPTH;
			__syncthreads();
		}
		compute_tile();
	}

	float4 *C4 = reinterpret_cast<float4 *>(C) + blockIdx.y * TILE * (n / 4) + blockIdx.x * (TILE / 4) + cx;
	C4[cy * (n / 4)] = lo;
	C4[(cy + 16) * (n / 4)] = hi;
}
