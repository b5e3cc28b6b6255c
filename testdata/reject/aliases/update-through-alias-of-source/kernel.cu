// `shifted` is `field` under another name, one row further down.
__global__ void diffuse_down(double *field, int rows, double rate)
{
	__shared__ double row[192];
	const int c = threadIdx.x;
	double *shifted = field + 192;

	for (int r = 0; r + 1 < rows; r++) {
		row[c] = field[r * 192 + c];
		__syncthreads();
		const double left = row[(c + 191) % 192], right = row[(c + 1) % 192];
		shifted[r * 192 + c] = (1.0 - rate) * row[c] + 0.5 * rate * (left + right);
		__syncthreads();
	}
}
