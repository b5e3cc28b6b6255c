// Tiled product with the barrier at the head of the loop instead of its tail.

#define T 16

// pipelinify: launch mm_sync_first
//   sizes    M=16 N=16 K=0,1,15,16,17,32,48,64,80
//   sizes    M=5 N=35 K=33
//   target   M=2048 N=2048 K=2048
//   requires M > 0 && N > 0
//   grid     (N + 15) / 16, (M + 15) / 16
//   block    16, 16
//   a:       in  [M * K]
//   b:       in  [K * N]
//   c:       out [M * N]
//   M:       M
//   N:       N
//   K:       K
__global__ void mm_sync_first(const int *a, const int *b, int *c, int M, int N, int K)
{
        __shared__ int ta[T][T + 1], tb[T][T + 1];
        int lx = threadIdx.x, ly = threadIdx.y;
        int gx = blockIdx.x * T + lx, gy = blockIdx.y * T + ly;
        int acc = 0, base;

        // pipelinify: ldg-single, 1 stage, source 6a81ea11
        base = 0;
        if (base < K) {
                __syncthreads();
                {
                        int va = 0, vb = 0;
                        if (gy < M && base + lx < K)
                                va = a[gy * K + base + lx];
                        if (base + ly < K && gx < N)
                                vb = b[(base + ly) * N + gx];
                        ta[ly][lx] = va;
                        tb[ly][lx] = vb;
                }
                __syncthreads();
                // Main loop: fetch the next tile while computing on this one.
                for (base += T; base < K; base += T) {
                        int va = 0, vb = 0;
                        if (gy < M && base + lx < K)
                                va = a[gy * K + base + lx];
                        if (base + ly < K && gx < N)
                                vb = b[(base + ly) * N + gx];

                        for (int k = 0; k < T; k++)
                                acc += ta[ly][k] * tb[k][lx];
                        __syncthreads();
                        ta[ly][lx] = va;
                        tb[ly][lx] = vb;
                        __syncthreads();
                }
                for (int k = 0; k < T; k++)
                        acc += ta[ly][k] * tb[k][lx];
        }

        if (gy < M && gx < N)
                c[gy * N + gx] = acc;
}
