// Words of points copied as a flat run: what is read may lie behind what was copied.
#include <cuda_runtime.h>

#define BATCH 64

// The first word of the next point, too.
__global__ void next_point(const float *__restrict__ pos, float *__restrict__ out, int n)
{
	__shared__ float xyz[3 * BATCH + 1];
	float sum = 0.f;

	for (int first = 0; first < n; first += BATCH) {
		const int m = min(BATCH, n - first);
		for (int k = threadIdx.x; k < 3 * m; k += blockDim.x)
			xyz[k] = pos[3 * first + k];
		__syncthreads();
		for (int j = 0; j < m; ++j)
			sum += xyz[3 * j] * xyz[3 * j + 3];
		__syncthreads();
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// One point more than there are.
__global__ void one_more(const float *__restrict__ pos, float *__restrict__ out, int n)
{
	__shared__ float xyz[3 * BATCH + 3];
	float sum = 0.f;

	for (int first = 0; first < n; first += BATCH) {
		const int m = min(BATCH, n - first);
		for (int k = threadIdx.x; k < 3 * m; k += blockDim.x)
			xyz[k] = pos[3 * first + k];
		__syncthreads();
		for (int j = 0; j <= m; ++j)
			sum += xyz[3 * j + 2];
		__syncthreads();
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Pairs are copied, triples are read.
__global__ void pairs_copied(const float *__restrict__ pos, float *__restrict__ out, int n)
{
	__shared__ float xyz[3 * BATCH];
	float sum = 0.f;

	for (int first = 0; first < n; first += BATCH) {
		const int m = min(BATCH, n - first);
		for (int k = threadIdx.x; k < 2 * m; k += blockDim.x)
			xyz[k] = pos[2 * first + k];
		__syncthreads();
		for (int j = 0; j < m; ++j)
			for (int c = 0; c < 3; ++c)
				sum += xyz[3 * j + c];
		__syncthreads();
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Rows of dim numbers are copied, rows of pitch numbers are read.
__global__ void other_pitch(const float *__restrict__ rows, float *__restrict__ out, int n,
			    int dim, int pitch)
{
	__shared__ float tile[16 * 32];
	float sum = 0.f;

	for (int r0 = 0; r0 < n; r0 += 16) {
		const int here = min(16, n - r0);
		for (int i = threadIdx.x; i < here * dim; i += blockDim.x)
			tile[i] = rows[r0 * dim + i];
		__syncthreads();
		for (int r = 0; r < here; ++r)
			for (int c = 0; c < dim; ++c)
				sum += tile[r * pitch + c];
		__syncthreads();
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The row's length may be negative, and then nothing is copied but of a last row.
__global__ void length_unknown(const float *__restrict__ rows, float *__restrict__ out, int n,
			       int dim)
{
	__shared__ float tile[16 * 32];
	float sum = 0.f;

	for (int r0 = 0; r0 < n; r0 += 16) {
		const int here = min(16, n - r0);
		for (int i = threadIdx.x; i < here * dim; i += blockDim.x)
			tile[i] = rows[r0 * 32 + i];
		__syncthreads();
		for (int r = 0; r < here; ++r)
			sum += tile[r * dim];
		__syncthreads();
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The last column's successor.
__global__ void past_the_row(const float *__restrict__ rows, float *__restrict__ out, int n,
			     int dim)
{
	__shared__ float tile[16 * 32 + 1];
	float sum = 0.f;

	for (int r0 = 0; r0 < n; r0 += 16) {
		const int here = min(16, n - r0);
		for (int i = threadIdx.x; i < here * dim; i += blockDim.x)
			tile[i] = rows[r0 * dim + i];
		__syncthreads();
		for (int r = 0; r < here; ++r)
			for (int c = 0; c < dim; ++c)
				sum += tile[r * dim + c + 1] - tile[r * dim + c];
		__syncthreads();
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The length is another one when the tile is read.
__global__ void length_doubled(const float *__restrict__ rows, float *__restrict__ out, int n,
			       int dim)
{
	__shared__ float tile[16 * 32];
	float sum = 0.f;

	for (int r0 = 0; r0 < n; r0 += 16) {
		const int here = min(16, n - r0);
		int w = dim;
		for (int i = threadIdx.x; i < here * w; i += blockDim.x)
			tile[i] = rows[r0 * dim + i];
		__syncthreads();
		w *= 2;
		for (int r = 0; r < here; ++r)
			for (int c = 0; c < w; ++c)
				sum += tile[r * w + c];
		__syncthreads();
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
