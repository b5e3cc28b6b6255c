#define TS 16

// Once a row has saturated, its part of the tile is filled with zeros.
__global__ void saturating_mm(const int *__restrict__ A, const int *__restrict__ B,
                              int *__restrict__ C, int n, int top)
{
	__shared__ int As[TS][TS];
	__shared__ int Bs[TS][TS];
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int row = blockIdx.y * TS + ty, col = blockIdx.x * TS + tx;
	int sum = 0;
	for (int k0 = 0; k0 < n; k0 += TS) {
		As[ty][tx] = sum < top ? A[row * n + k0 + tx] : 0;
		Bs[ty][tx] = B[(k0 + ty) * n + col];
		__syncthreads();
		for (int k = 0; k < TS; k++)
			sum += As[ty][k] * Bs[k][tx];
		__syncthreads();
	}
	C[row * n + col] = sum;
}
