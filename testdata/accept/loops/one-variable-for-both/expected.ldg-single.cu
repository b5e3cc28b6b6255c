// Variables that the loads use for one thing, and compute for another, each of which sets them first.
#include <cuda_runtime.h>

#define SPAN 64

#define vload(v, addr) \
    v = *((const float4 *)(addr));
#define A(i, j) A[(i) + (j) * lda]
#define B(i, j) B[(i) + (j) * ldb]
#define C(i, j) C[(i) + (j) * ldc]

// Column major, 64 x 64 a block and 4 x 4 a thread; Av and Bv hold what is loaded from both memories.
//
// pipelinify: launch gemm_cached
//   sizes  M=64 N=64 K=0,16,32,48,80
//   sizes  M=128 N=64 K=32
//   target M=4096 N=4096 K=4096
//   grid   M / 64, N / 64
//   block  256
//   A:     in    [M * K + 4] random
//   B:     in    [K * N + 4] random
//   C:     inout [M * N] random
//   M:     M
//   K:     K
//   alpha: 1.5
//   beta:  0.5
__global__ __launch_bounds__(256)
void gemm_cached(const float *A, const float *B, float *C, int M, int K, float alpha, float beta) {
    int lda = M, ldb = K, ldc = M;
    int tx = threadIdx.x;
    int row_a = (tx & 15) << 2, col_a = tx >> 4;
    int row_b = (tx & 3) << 2, col_b = tx >> 2;
    int col_c = col_a << 2;
    A = &A(blockIdx.x << 6, 0);
    B = &B(0, blockIdx.y << 6);
    C = &C(blockIdx.x << 6, blockIdx.y << 6);
    __shared__ float sa[1024];
    __shared__ float sb[1024];
    float4 Av, Bv;
    float acc[4][4] = {};
    // pipelinify: ldg-single, 1 stage, source d71fa7ad
    int k = 0;
    if (k < K) {
        auto compute_tile = [&]() {
            #pragma unroll
            for (int i = 0; i < 16; i++) {
                vload(Av, &sa[(i << 6) + row_a])
                vload(Bv, &sb[(i << 6) + col_c])
                acc[0][0] += Av.x * Bv.x; acc[0][1] += Av.x * Bv.y; acc[0][2] += Av.x * Bv.z; acc[0][3] += Av.x * Bv.w;
                acc[1][0] += Av.y * Bv.x; acc[1][1] += Av.y * Bv.y; acc[1][2] += Av.y * Bv.z; acc[1][3] += Av.y * Bv.w;
                acc[2][0] += Av.z * Bv.x; acc[2][1] += Av.z * Bv.y; acc[2][2] += Av.z * Bv.z; acc[2][3] += Av.z * Bv.w;
                acc[3][0] += Av.w * Bv.x; acc[3][1] += Av.w * Bv.y; acc[3][2] += Av.w * Bv.z; acc[3][3] += Av.w * Bv.w;
            }
        };
        {
            float4 Av_load;
            vload(Av_load, &A(row_a, col_a))
            float4 Bv_load;
            vload(Bv_load, &B(row_b, col_b))
            ((float4 *)sa)[tx] = Av_load;
            sb[((row_b + 0) << 6) + col_b] = Bv_load.x;
            sb[((row_b + 1) << 6) + col_b] = Bv_load.y;
            sb[((row_b + 2) << 6) + col_b] = Bv_load.z;
            sb[((row_b + 3) << 6) + col_b] = Bv_load.w;
            A += lda << 4;
            B += 16;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 16; k < K; k += 16) {
            float4 Av_load;
            vload(Av_load, &A(row_a, col_a))
            float4 Bv_load;
            vload(Bv_load, &B(row_b, col_b))
            compute_tile();
            __syncthreads();
            ((float4 *)sa)[tx] = Av_load;
            sb[((row_b + 0) << 6) + col_b] = Bv_load.x;
            sb[((row_b + 1) << 6) + col_b] = Bv_load.y;
            sb[((row_b + 2) << 6) + col_b] = Bv_load.z;
            sb[((row_b + 3) << 6) + col_b] = Bv_load.w;
            A += lda << 4;
            B += 16;
            __syncthreads();
        }
        compute_tile();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            C(row_a + i, col_c + j) = alpha * acc[i][j] + beta * C(row_a + i, col_c + j);
}

// One index for the loads and for the sum, declared where C had it.
//
// pipelinify: launch guarded_sums
//   sizes  n=0,1,63,64,65,128,200,320,448
//   target n=1048576
//   block  64
//   x:   in  [n + 1] random
//   out: out [64]
//   n:   n
__global__ void guarded_sums(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float span[SPAN];
    float sum = 0.0f;
    int i, k, at;
    // pipelinify: ldg-single, 1 stage, source 7b570367
    k = 0;
    int k_tile = k;
    int at_tile;
    if (k < n) {
        auto compute_tile = [&]() {
            int i_load = threadIdx.x;
            at_tile = k_tile + i_load;
            for (i = 0; i < SPAN; i++)
                sum += span[i] * at_tile;
        };
        {
            int i_load = threadIdx.x;
            at = k + i_load;
            if (at < n)
                span[i_load] = x[at];
            else
                span[i_load] = 0.0f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += SPAN; k < n; k += SPAN) {
            float span_next;
            int i_load = threadIdx.x;
            at = k + i_load;
            if (at < n)
                span_next = x[at];
            else
                span_next = 0.0f;
            compute_tile();
            k_tile += SPAN;
            __syncthreads();
            span[i_load] = span_next;
            __syncthreads();
        }
        compute_tile();
    }
    out[blockIdx.x * SPAN + threadIdx.x] = sum;
}

// Coefficients through a second cursor; the first one goes on to count in the sum.
//
// pipelinify: launch horner
//   sizes  n=0,96,192,288,480
//   target n=96000
//   grid   1
//   block  32
//   src: in  [n + 1] random
//   x:   in  [32] random
//   y:   out [32]
//   n:   n
__global__ void horner(const double *__restrict__ src, const double *__restrict__ x, double *__restrict__ y, int n)
{
	__shared__ double c[96];
	const int tid = threadIdx.x;
	double v = 0.0, xi = x[tid];
	// pipelinify: ldg-single, 1 stage, source feb2ef5c
	int base = 0;
	if (base < n) {
		auto compute_tile = [&]() {
			int i;
			for (i = 0; i < 96; i++)
				v = v * xi + c[i];
		};
		{
			int i_load;
			const double *p;
			for (i_load = tid, p = src + base + tid; i_load < 96; i_load += 32, p += 32)
				c[i_load] = *p;
		}
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (base += 96; base < n; base += 96) {
			double c_next[3];
			int i_load;
			const double *p;
			{
				int slot = 0;
				#pragma unroll
				for (i_load = tid, p = src + base + tid; slot < 3 && i_load < 96; i_load += 32, p += 32, ++slot) {
					c_next[slot] = *p;
				}
			}
			compute_tile();
			__syncthreads();
			{
				int i_load;
				const double *p;
				{
					int slot = 0;
					#pragma unroll
					for (i_load = tid, p = src + base + tid; slot < 3 && i_load < 96; i_load += 32, p += 32, ++slot) {
						c[i_load] = c_next[slot];
					}
				}
			}
			__syncthreads();
		}
		compute_tile();
	}
	y[tid] = v;
}

// What compute leaves in v is used behind the loop, also where there is no tile.
//
// pipelinify: launch last_neighbour
//   sizes  n=0,32,64,96,160
//   target n=32768
//   grid   1
//   block  32
//   a:      in  [n + 1] random
//   o:      out [32]
//   n:      n
//   v_load: 0.5
__global__ void last_neighbour(const float *__restrict__ a, float *__restrict__ o, int n, float v_load)
{
    __shared__ float s[32];
    float v = 7.f, sum = 0.f;
    for (int q = 0; q < 2; q++) {
        sum += v; // of the round before
        // pipelinify: ldg-single, 1 stage, source 919b61f7
        int k = 0;
        if (k < n) {
            {
                float v_load2 = a[k + threadIdx.x] * v_load;
                s[threadIdx.x] = v_load2;
            }
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k += 32; k < n; k += 32) {
                float v_load2 = a[k + threadIdx.x] * v_load;
                v = s[(threadIdx.x + 1) % 32];
                sum += v * 2;
                __syncthreads();
                s[threadIdx.x] = v_load2;
                __syncthreads();
            }
            v = s[(threadIdx.x + 1) % 32];
            sum += v * 2;
            __syncthreads();
        }
    }
    o[threadIdx.x] = sum + v;
}

// A counter that is declared before the loop and serves its loads alone.
//
// pipelinify: launch column_sums
//   sizes  n=0,20,40,60,100
//   target n=20000
//   grid   1
//   block  16
//   x:   in  [n + 1] random
//   out: out [16]
//   n:   n
__global__ __launch_bounds__(16) void column_sums(const float *__restrict__ x, float *__restrict__ out, int n)
{
	__shared__ float s[20];
	float sum = 0.f;
	// pipelinify: ldg-single, 1 stage, source 97333e1b
	int k = 0;
	if (k < n) {
		{
			int i_load = threadIdx.x;
			while (i_load < 20) {
				s[i_load] = 0.5f * x[k + i_load];
				i_load += 16;
			}
		}
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (k += 20; k < n; k += 20) {
			float s_next[2];
			int i_load = threadIdx.x;
			#pragma unroll
			for (int slot = 0; slot < 2 && i_load < 20; ++slot) {
				s_next[slot] = x[k + i_load];
				i_load += 16;
			}
			for (int j = 0; j < 20; j++)
				sum += s[j];
			__syncthreads();
			{
				int i_load = threadIdx.x;
				#pragma unroll
				for (int slot = 0; slot < 2 && i_load < 20; ++slot) {
					s[i_load] = 0.5f * s_next[slot];
					i_load += 16;
				}
			}
			__syncthreads();
		}
		for (int j = 0; j < 20; j++)
			sum += s[j];
	}
	out[threadIdx.x] = sum;
}
