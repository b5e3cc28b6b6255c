// Matrix product that takes its K tiles from the last to the first (small terms first).

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
  __shared__ double a_tile[16][8];
  __shared__ double b_tile[8][8];
  int i = blockIdx.y * 16 + threadIdx.y;
  int j = blockIdx.x * 8 + threadIdx.x;
  double s = 0;

  // pipelinify: ldg-single, 1 stage, source 300907b8
  int t = (K + 7) / 8 - 1;
  if (t >= 0)
    {
      {
        int ka = t * 8 + threadIdx.x;
        int kb = t * 8 + threadIdx.y;

        if (i < M && ka < K)
          a_tile[threadIdx.y][threadIdx.x] = A[i * K + ka];
        else
          a_tile[threadIdx.y][threadIdx.x] = 0;

        /* B's tile has half as many rows as the block */
        if (threadIdx.y < 8)
          {
            if (kb < K && j < N)
              b_tile[threadIdx.y][threadIdx.x] = B[kb * N + j];
            else
              b_tile[threadIdx.y][threadIdx.x] = 0;
          }
      }
      __syncthreads ();
      // Main loop: fetch the next tile while computing on this one.
      #pragma unroll 1
      for (--t; t >= 0; --t)
        {
          double a_tile_next;
          double b_tile_next;
          int ka = t * 8 + threadIdx.x;
          int kb = t * 8 + threadIdx.y;

          if (i < M && ka < K)
            a_tile_next = A[i * K + ka];
          else
            a_tile_next = 0;

          /* B's tile has half as many rows as the block */
          if (threadIdx.y < 8)
            {
              if (kb < K && j < N)
                b_tile_next = B[kb * N + j];
              else
                b_tile_next = 0;
            }

          for (int k = 7; k >= 0; --k)
            s += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
          __syncthreads ();
          a_tile[threadIdx.y][threadIdx.x] = a_tile_next;
          if (threadIdx.y < 8)
            {
              b_tile[threadIdx.y][threadIdx.x] = b_tile_next;
            }
          __syncthreads ();
        }
      for (int k = 7; k >= 0; --k)
        s += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
    }

  if (i < M && j < N)
    C[i * N + j] += s;
}
