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
#include <cuda_pipeline.h>

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
        // pipelinify: cp.async, 2 stages, source 7026fc36
        int base_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
                if (base_load < L) {
                        if (base_load + tid < L && letter("AR\
    CQEG", 4) == ' ' && letter(R"(HI  
      LK
  # M)", 9) == ' ') {
                                __pipeline_memcpy_async(
                                    &tile_stage[load_stage][tid],
                                    &codes[blockIdx.x * L + base_load + tid],
                                    sizeof(int));
                        } else {
                                tile_stage[load_stage][tid] = letter(R"(HI  
      LK
  # M)", 15);
                        }
                        base_load += 32;
                }
                __pipeline_commit();
        };
        copy_tile(0);
        // Main loop: 1 tile is in flight while computing on one.
        for (int base = 0; base < L; base += 32) {
                __pipeline_wait_prior(0);
                __syncthreads();
                copy_tile(stage ^ 1);
                for (int k = 0; k < 32; ++k)
                        sum += tile_stage[stage][k] * letter("ACGT\
  acgt", k % 10) + letter(R"(W  
 # Y	
   V)", (k + tid) % 12);
                stage ^= 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
        out[blockIdx.x * 32 + tid] = sum;
}
