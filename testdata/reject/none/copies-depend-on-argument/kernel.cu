// How many bytes a thread copies is an argument; single bytes cannot be copied
// asynchronously.
__global__ void __launch_bounds__(128)
byte_rows(const unsigned char *__restrict__ img, unsigned *__restrict__ sums, int width,
          int rows)
{
	__shared__ unsigned char line[4096];
	unsigned s = 0;
	for (int r = 0; r < rows; ++r) {
		for (int c = threadIdx.x; c < width; c += 128)
			line[c] = img[(size_t)r * width + c];
		__syncthreads();
		for (int c = 0; c < width; c++)
			s += line[c] ^ threadIdx.x;
		__syncthreads();
	}
	sums[blockIdx.x * 128 + threadIdx.x] = s;
}
