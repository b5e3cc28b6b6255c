#define KEYS 1024

__global__ void bitonic_block(unsigned *keys)
{
	__shared__ unsigned s[KEYS];
	const unsigned t = threadIdx.x;
	unsigned *mine = keys + blockIdx.x * KEYS;

	s[t] = mine[t];
	s[t + KEYS / 2] = mine[t + KEYS / 2];
	__syncthreads();
	for (unsigned size = 2; size <= KEYS; size <<= 1) {
		for (unsigned stride = size >> 1; stride > 0; stride >>= 1) {
			const unsigned lo = 2 * t - (t & (stride - 1));
			const unsigned a = s[lo], b = s[lo + stride];
			const bool up = (lo & size) == 0;
			if ((a > b) == up) {
				s[lo] = b;
				s[lo + stride] = a;
			}
			__syncthreads();
		}
	}
	mine[t] = s[t];
	mine[t + KEYS / 2] = s[t + KEYS / 2];
}
