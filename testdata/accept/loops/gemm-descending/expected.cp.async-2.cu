// Matrix product that takes its K tiles from the last to the first (small terms first).

#include <cuda_pipeline.h>

// pipelinify: launch dgemm_backwards
//   sizes    M=16 N=8 K=0,1,8,9,16,24,31,40,80
//   sizes    M=19 N=13 K=21
//   target   M=2048 N=2048 K=2048
//   requires M > 0 && N > 0
//   grid     (N + 7) / 8, (M + 15) / 16
//   block    8, 16
//   A:       in  [M * K]
//   B:       in  [K * N]
//   C:       inout [M * N]
//   M:       M
//   N:       N
//   K:       K
//   work     flops 2 * M * N * K
__global__ void
dgemm_backwards (const double *A, const double *B, double *C, int M, int N, int K)
{
  __shared__ double a_tile_stage[2][16][8];
  __shared__ double b_tile_stage[2][8][8];
  int i = blockIdx.y * 16 + threadIdx.y;
  int j = blockIdx.x * 8 + threadIdx.x;
  double s = 0;

  // pipelinify: cp.async, 2 stages, source 300907b8
  int t_load = (K + 7) / 8 - 1, stage = 0;
  // Starts to copy the next tile to a stage, if there is one.
  auto copy_tile = [&](int load_stage)
    {
      if (t_load >= 0)
        {
          int ka = t_load * 8 + threadIdx.x;
          int kb = t_load * 8 + threadIdx.y;

          if (i < M && ka < K)
            __pipeline_memcpy_async (&a_tile_stage[load_stage][threadIdx.y][threadIdx.x],
                                     &A[i * K + ka], sizeof (double));
          else
            a_tile_stage[load_stage][threadIdx.y][threadIdx.x] = 0;

          /* B's tile has half as many rows as the block */
          if (threadIdx.y < 8)
            {
              if (kb < K && j < N)
                __pipeline_memcpy_async (&b_tile_stage[load_stage][threadIdx.y][threadIdx.x],
                                         &B[kb * N + j], sizeof (double));
              else
                b_tile_stage[load_stage][threadIdx.y][threadIdx.x] = 0;
            }
          --t_load;
        }
      __pipeline_commit ();
    };
  copy_tile (0);
  // Main loop: 1 tile is in flight while computing on one.
  #pragma unroll 1
  for (int t = (K + 7) / 8 - 1; t >= 0; --t)
    {
      __pipeline_wait_prior (0);
      __syncthreads ();
      copy_tile (stage ^ 1);

      for (int k = 7; k >= 0; --k)
        s += a_tile_stage[stage][threadIdx.y][k] * b_tile_stage[stage][k][threadIdx.x];
      stage ^= 1;
    }
  __pipeline_wait_prior (0);

  if (i < M && j < N)
    C[i * N + j] += s;
}
