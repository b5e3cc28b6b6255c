// Variables that the loads use for one thing, and compute for another, each of which sets them first.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    for (int k = 0; k < K; k += 16) {
        vload(Av, &A(row_a, col_a))
        vload(Bv, &B(row_b, col_b))
        ((float4 *)sa)[tx] = Av;
        sb[((row_b + 0) << 6) + col_b] = Bv.x;
        sb[((row_b + 1) << 6) + col_b] = Bv.y;
        sb[((row_b + 2) << 6) + col_b] = Bv.z;
        sb[((row_b + 3) << 6) + col_b] = Bv.w;
        A += lda << 4;
        B += 16;
        __syncthreads();
        #pragma unroll
        for (int i = 0; i < 16; i++) {
            vload(Av, &sa[(i << 6) + row_a])
            vload(Bv, &sb[(i << 6) + col_c])
            acc[0][0] += Av.x * Bv.x; acc[0][1] += Av.x * Bv.y; acc[0][2] += Av.x * Bv.z; acc[0][3] += Av.x * Bv.w;
            acc[1][0] += Av.y * Bv.x; acc[1][1] += Av.y * Bv.y; acc[1][2] += Av.y * Bv.z; acc[1][3] += Av.y * Bv.w;
            acc[2][0] += Av.z * Bv.x; acc[2][1] += Av.z * Bv.y; acc[2][2] += Av.z * Bv.z; acc[2][3] += Av.z * Bv.w;
            acc[3][0] += Av.w * Bv.x; acc[3][1] += Av.w * Bv.y; acc[3][2] += Av.w * Bv.z; acc[3][3] += Av.w * Bv.w;
        }
        __syncthreads();
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
    __shared__ float span_stage[2][SPAN];
    float sum = 0.0f;
    int i, k, at;
    // pipelinify: cp.async, 2 stages, source 7b570367
    k = 0;
    int k_load = k;
    int at_load;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            int i_load = threadIdx.x;
            at_load = k_load + i_load;
            if (at_load < n)
                __pipeline_memcpy_async(&span_stage[load_stage][i_load], &x[at_load], sizeof(float));
            else
                span_stage[load_stage][i_load] = 0.0f;
            k_load += SPAN;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    int stage = 0;
    // Main loop: 1 tile is in flight while computing on one.
    for (; k < n; k += SPAN) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        int i_load = threadIdx.x;
        at = k + i_load;
        for (i = 0; i < SPAN; i++)
            sum += span_stage[stage][i] * at;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
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
	__shared__ double c_stage[2][96];
	const int tid = threadIdx.x;
	double v = 0.0, xi = x[tid];
	// pipelinify: cp.async, 2 stages, source feb2ef5c
	int base_load = 0, stage = 0;
	// Starts to copy the next tile to a stage, if there is one.
	auto copy_tile = [&](int load_stage) {
		if (base_load < n) {
			int i_load;
			const double *p;
			for (i_load = tid, p = src + base_load + tid; i_load < 96; i_load += 32, p += 32)
				__pipeline_memcpy_async(&c_stage[load_stage][i_load], p, sizeof(double));
			base_load += 96;
		}
		__pipeline_commit();
	};
	copy_tile(0);
	// Main loop: 1 tile is in flight while computing on one.
	for (int base = 0; base < n; base += 96) {
		__pipeline_wait_prior(0);
		__syncthreads();
		copy_tile(stage ^ 1);
		int i;
		for (i = 0; i < 96; i++)
			v = v * xi + c_stage[stage][i];
		stage ^= 1;
	}
	__pipeline_wait_prior(0);
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
        for (int k = 0; k < n; k += 32) {
            v = a[k + threadIdx.x] * v_load;
            s[threadIdx.x] = v;
            __syncthreads();
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
	int i;
	for (int k = 0; k < n; k += 20) {
		i = threadIdx.x;
		while (i < 20) {
			s[i] = 0.5f * x[k + i];
			i += 16;
		}
		__syncthreads();
		for (int j = 0; j < 20; j++)
			sum += s[j];
		__syncthreads();
	}
	out[threadIdx.x] = sum;
}
