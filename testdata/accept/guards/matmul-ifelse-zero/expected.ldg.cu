// Matrix multiply of any size; the edge tiles are filled up with zeros by if / else.
#include <stdio.h>

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

	// pipelinify: ldg, 2 stages, source 990ae09b
	unsigned int m = 0;
	if (m < (numACols - 1) / TILE_SIZE + 1 && numACols) {
		int stage = 0;
		if (Row < numARows && m * TILE_SIZE + tx < numACols)
			ds_A_stage[0][ty][tx] = A[Row * numACols + m * TILE_SIZE + tx];
		else
			ds_A_stage[0][ty][tx] = 0.0;

		if (m * TILE_SIZE + ty < numACols && Col < numBCols)
			ds_B_stage[0][ty][tx] = B[(m * TILE_SIZE + ty) * numBCols + Col];
		else
			ds_B_stage[0][ty][tx] = 0.0;
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		for (++m; m < (numACols - 1) / TILE_SIZE + 1 && numACols; ++m) {
			float ds_A_next;
			float ds_B_next;
			if (Row < numARows && m * TILE_SIZE + tx < numACols)
				ds_A_next = A[Row * numACols + m * TILE_SIZE + tx];
			else
				ds_A_next = 0.0;

			if (m * TILE_SIZE + ty < numACols && Col < numBCols)
				ds_B_next = B[(m * TILE_SIZE + ty) * numBCols + Col];
			else
				ds_B_next = 0.0;

			for (unsigned int k = 0; k < TILE_SIZE; ++k)
				Pvalue += ds_A_stage[stage][ty][k] * ds_B_stage[stage][k][tx];
			stage ^= 1;
			ds_A_stage[stage][ty][tx] = ds_A_next;
			ds_B_stage[stage][ty][tx] = ds_B_next;
			__syncthreads();
		}
		for (unsigned int k = 0; k < TILE_SIZE; ++k)
			Pvalue += ds_A_stage[stage][ty][k] * ds_B_stage[stage][k][tx];
	}

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
