// Matrix multiply of any size; the edge tiles are filled up with zeros by if / else.
#include <stdio.h>
#include <cuda_pipeline.h>

#define TILE_SIZE 32

// pipelinify: launch matrixMulShared
//   sizes    numARows=32 numACols=0,1,31,32,33,64,96,127,160 numBCols=32
//   sizes    numARows=1,40 numACols=70 numBCols=35
//   target   numARows=2000 numACols=3000 numBCols=1500
//   grid     (numBCols + 31) / 32, (numARows + 31) / 32
//   block    32, 32
//   A:        in  [numARows * numACols]
//   B:        in  [numACols * numBCols]
//   C:        out [numARows * numBCols]
//   numARows: numARows
//   numACols: numACols
//   numBCols: numBCols
__global__ void matrixMulShared(float *A, float *B, float *C,
                                unsigned int numARows, unsigned int numACols, unsigned int numBCols) {
	__shared__ float ds_A_stage[2][TILE_SIZE][TILE_SIZE + 1];
	__shared__ float ds_B_stage[2][TILE_SIZE][TILE_SIZE + 1];

	unsigned int tx = threadIdx.x, ty = threadIdx.y;
	unsigned int Row = blockIdx.y * TILE_SIZE + ty;
	unsigned int Col = blockIdx.x * TILE_SIZE + tx;
	float Pvalue = 0.0;

	// pipelinify: cp.async, 2 stages, source 990ae09b
	unsigned int m_load = 0;
	// Starts to copy the next tile to a stage, if there is one.
	auto copy_tile = [&](int load_stage) {
		if (m_load < (numACols - 1) / TILE_SIZE + 1 && numACols) {
			if (Row < numARows && m_load * TILE_SIZE + tx < numACols)
				__pipeline_memcpy_async(&ds_A_stage[load_stage][ty][tx], &A[Row * numACols + m_load * TILE_SIZE + tx],
				                        sizeof(float));
			else
				ds_A_stage[load_stage][ty][tx] = 0.0;

			if (m_load * TILE_SIZE + ty < numACols && Col < numBCols)
				__pipeline_memcpy_async(&ds_B_stage[load_stage][ty][tx], &B[(m_load * TILE_SIZE + ty) * numBCols + Col],
				                        sizeof(float));
			else
				ds_B_stage[load_stage][ty][tx] = 0.0;
			++m_load;
		}
		__pipeline_commit();
	};
	copy_tile(0);
	int stage = 0;
	// Main loop: 1 tile is in flight while computing on one.
	for (unsigned int m = 0; m < (numACols - 1) / TILE_SIZE + 1 && numACols; ++m) {
		__pipeline_wait_prior(0);
		__syncthreads();
		copy_tile(stage ^ 1);

		for (unsigned int k = 0; k < TILE_SIZE; ++k)
			Pvalue += ds_A_stage[stage][ty][k] * ds_B_stage[stage][k][tx];
		stage ^= 1;
	}
	__pipeline_wait_prior(0);

	if (Row < numARows && Col < numBCols)
		C[Row * numBCols + Col] = Pvalue;
}

int main(int argc, char **argv) {
	const unsigned int n = 100;
	float *dA, *dB, *dC;
	cudaMalloc(&dA, n * n * sizeof(float));
	cudaMalloc(&dB, n * n * sizeof(float));
	cudaMalloc(&dC, n * n * sizeof(float));
	cudaMemset(dA, 0, n * n * sizeof(float));
	cudaMemset(dB, 0, n * n * sizeof(float));

	dim3 dimGrid((n - 1) / TILE_SIZE + 1, (n - 1) / TILE_SIZE + 1, 1);
	dim3 dimBlock(TILE_SIZE, TILE_SIZE, 1);
	matrixMulShared<<<dimGrid, dimBlock>>>(dA, dB, dC, n, n, n);
	printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));

	cudaFree(dA);
	cudaFree(dB);
	cudaFree(dC);
	return 0;
}
