// pipelinify: launch score
//   sizes    N=1,3 L=0,1,16,40,64,200
//   target   N=512 L=4096
//   grid     N
//   block    32
//   codes:   in    [N * L]  below(8)
//   out:     out   [N * 32]
//   L:       L

// Tables of letters that go on in the next line: its blanks are part of them.
#include <cuda_runtime.h>

__host__ __device__ constexpr int letter(const char *table, int i)
{
    return table[i];
}

__global__ void score(const int *__restrict__ codes, int *__restrict__ out,
                      int L)
{
        __shared__ int tile_stage[2][32];
        const int tid = threadIdx.x;
        int sum = 0;
        // pipelinify: ldg, 2 stages, source 7026fc36
        int base = 0, stage = 0;
        if (base < L) {
                auto compute_tile = [&]() {
                        for (int k = 0; k < 32; ++k)
                                sum += tile_stage[stage][k] * letter("ACGT\
  acgt", k % 10) + letter(R"(W  
 # Y	
   V)", (k + tid) % 12);
                };
                if (base + tid < L && letter("AR\
    CQEG", 4) == ' ' && letter(R"(HI  
      LK
  # M)", 9) == ' ')
                        tile_stage[0][tid] = codes[blockIdx.x * L + base + tid];
                else
                        tile_stage[0][tid] = letter(R"(HI  
      LK
  # M)", 15);
                __syncthreads();
                // Main loop: fetch the next tile while computing on this one.
                for (base += 32; base < L; base += 32) {
                        int tile_next;
                        if (base + tid < L && letter("AR\
    CQEG", 4) == ' ' && letter(R"(HI  
      LK
  # M)", 9) == ' ') {
                                tile_next = codes[blockIdx.x * L + base + tid];
                        } else {
                                tile_next = letter(R"(HI  
      LK
  # M)", 15);
                        }
                        compute_tile();
                        stage ^= 1;
                        tile_stage[stage][tid] = tile_next;
                        __syncthreads();
                }
                compute_tile();
                __syncthreads();
        }
        out[blockIdx.x * 32 + tid] = sum;
}
