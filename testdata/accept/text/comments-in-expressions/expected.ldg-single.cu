// A ragged product whose author explains each part of a condition beside it: comments end the lines of
// choices, guards and indices, and one of them stands in front of a parenthesis.
#define T 16

// pipelinify: launch mm_explained
//   sizes M=16,21,48 N=16,37 K=0,1,16,17,32,40,64,80,113
//   target M=2048 N=2048 K=2048
//   grid (N + 15) / 16, (M + 15) / 16
//   block 16, 16
//   A: in [M * K + 1]
//   B: in [K * N + 1]
//   C: out [M * N]
//   M: M
//   N: N
//   K: K
//   work flops 2 * M * N * K
__global__ void mm_explained(const float *__restrict__ A, const float *__restrict__ B, float *C, int M, int N, int K)
{
    __shared__ float As[T][T], Bs[T][T];
    const int row = blockIdx.y * T + threadIdx.y, col = blockIdx.x * T + threadIdx.x;
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 0237ebb0
    int k = 0;
    if (k < K) {
        As[threadIdx.y][threadIdx.x] =           // one element each
            (row < M && k + threadIdx.x < K)     // below and right of the edge?
                ? A[row * K + k + threadIdx.x]   // rows are K apart
                : 0.f;                           // adds nothing
        if (k + threadIdx.y < K &&               // the last tile is short
            col < N                              // and so is the last block
        ) // then it is there
            Bs[threadIdx.y][threadIdx.x] =       // as it lies
                B[(k + threadIdx.y) * N          // down
                  + col];                        // and across
        else
            Bs[threadIdx.y][threadIdx.x] = 0.f   // as above
                ;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += T; k < K; k += T) {
            float Bs_next;
            float As_next = // one element each
                (row < M && k + threadIdx.x < K)     // below and right of the edge?
                    ? A[row * K + k + threadIdx.x]   // rows are K apart
                    : 0.f;  // adds nothing
            if (k + threadIdx.y < K &&               // the last tile is short
                col < N) {
                // then it is there
                Bs_next = // as it lies
                    B[(k + threadIdx.y) * N          // down
                      + col];  // and across
            } else {
                Bs_next = 0.f;
            }
            for (int j = 0; j < T; ++j) sum += As[threadIdx.y][j] * Bs[j][threadIdx.x];
            __syncthreads();
            As[threadIdx.y][threadIdx.x] = As_next;
            Bs[threadIdx.y][threadIdx.x] = Bs_next;
            __syncthreads();
        }
        for (int j = 0; j < T; ++j) sum += As[threadIdx.y][j] * Bs[j][threadIdx.x];
    }
    if (row < M && col < N) C[row * N + col] = sum;
}

// pipelinify: launch clipped
//   sizes n=0,1,31,32,33,64,65,96,100,160
//   target n=65536
//   grid 2
//   block 32
//   a: in [n + 160]
//   out: out [64]
//   n: n
__global__ void clipped(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[32];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 12032480
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] =                      // where it is summed
            k + threadIdx.x < n                  // inside
                ? fminf(a[k + threadIdx.x], 0.5f) // no more than a half
                : 0.f                            // outside
            ;                                    // done
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 32; k < n; k += 32) {
            float tile_next = // where it is summed
                k + threadIdx.x < n                  // inside
                    ? fminf(a[k + threadIdx.x], 0.5f) // no more than a half
                    : 0.f;  // done
            for (int j = 0; j < 32; ++j) sum += tile[j] * (threadIdx.x + 1);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int j = 0; j < 32; ++j) sum += tile[j] * (threadIdx.x + 1);
    }
    out[blockIdx.x * 32 + threadIdx.x] = sum;
}
