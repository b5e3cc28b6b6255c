#include <cuda_runtime.h>

#define CHUNK 64

// Goertzel filters for the tones of a telephone line, a tone a thread. What is
// left of the recording is worked out anew behind each chunk.
// pipelinify: launch tones
//   sizes    lines=1,2 n=0,1,63,64,65,128,192,200
//   target   lines=2048 n=8000
//   grid     lines
//   block    CHUNK
//   let      CHUNK = 64
//   pcm:     in  [lines * n]  below(4096)
//   coeff:   in  [CHUNK] range(-2, 2)
//   power:   out [lines * CHUNK]
//   n:       n
__global__ void tones(const short *__restrict__ pcm, const float *__restrict__ coeff,
                      float *__restrict__ power, int n)
{
	__shared__ float chunk[CHUNK];
	const short *line = pcm + (size_t)blockIdx.x * n;
	const float c = coeff[threadIdx.x];
	float s1 = 0.0f, s2 = 0.0f;
	int done = 0, left = n;

	// pipelinify: ldg-single, 1 stage, source cfa3b2c4
	int done_tile = done, left_tile = left;
	if (left > 0) {
		auto compute_tile = [&]() {
			const int m = left_tile < CHUNK ? left_tile : CHUNK;

			for (int i = 0; i < m; i++) {
				float s0 = chunk[i] + c * s1 - s2;
				s2 = s1;
				s1 = s0;
			}

			done_tile += CHUNK;
			left_tile = n - done_tile;
		};
		{
			const int m = left < CHUNK ? left : CHUNK;

			chunk[threadIdx.x] = threadIdx.x < m ? line[done + threadIdx.x] : 0;

			done += CHUNK;
			left = n - done;
		}
		__syncthreads();
		// Main loop: fetch the next tile while computing on this one.
		while (left > 0) {
			const int m = left < CHUNK ? left : CHUNK;

			float chunk_next = threadIdx.x < m ? line[done + threadIdx.x] : 0;
			compute_tile();
			__syncthreads();
			chunk[threadIdx.x] = chunk_next;
			done += CHUNK;
			left = n - done;
			__syncthreads();
		}
		compute_tile();
	}
	power[blockIdx.x * CHUNK + threadIdx.x] = s1 * s1 + s2 * s2 - c * s1 * s2;
}
