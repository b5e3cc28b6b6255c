// What is said at the end of a line, of a statement or of a header, goes with it.

__global__ void __launch_bounds__(64)
product(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
        int n)
{
    __shared__ float a[4][16];  // four rows of A
    __shared__ float b[16][16]; // sixteen of B
    const int row = blockIdx.y * 4 + threadIdx.x / 16;
    const int col = blockIdx.x * 16 + threadIdx.x % 16;
    float sum = 0.f; // one element a thread
    // pipelinify: ldg-single, 1 stage, source 9b68fc70
    int k = 0;
    if (k < n) {
        if (k + threadIdx.x % 16 < n) // inside of A
            a[threadIdx.x / 16][threadIdx.x % 16] = A[row * n + k + threadIdx.x % 16]; // its rows
        else // beyond it
            a[threadIdx.x / 16][threadIdx.x % 16] = 0.f; // nothing
        for (int i = threadIdx.x; i < 256; i += 64) { // four turns
            const int r = i / 16; // which row
            const int c = i % 16; /* and column */
            if (k + r < n) { // inside of B
                b[r][c] = B[(k + r) * n + blockIdx.x * 16 + c]; // a row
            } else { /* beyond it */
                b[r][c] = 0.f; // no row
            } // either way
        } // all of B
        __syncthreads(); // both are there
        // Main loop: fetch the next tile while computing on this one.
        for (k += 16; k < n; k += 16) { // a tile at a time
            float a_next;
            float b_next[4];
            if (k + threadIdx.x % 16 < n) {
                // inside of A
                a_next = A[row * n + k + threadIdx.x % 16]; // its rows
            } else {
                // beyond it
                a_next = 0.f; // nothing
            }
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = threadIdx.x + slot * 64;
                // four turns
                const int r = i / 16; // which row
                const int c = i % 16; /* and column */
                if (k + r < n) {
                    // inside of B
                    b_next[slot] = B[(k + r) * n + blockIdx.x * 16 + c]; // a row
                } else {
                    /* beyond it */
                    b_next[slot] = 0.f; // no row
                }
            }

            for (int q = 0; q < 16; q++) // the sum
                sum += a[threadIdx.x / 16][q] * b[q][threadIdx.x % 16]; // goes on
            __syncthreads();
            a[threadIdx.x / 16][threadIdx.x % 16] = a_next;
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = threadIdx.x + slot * 64;
                const int r = i / 16;
                const int c = i % 16;
                b[r][c] = b_next[slot];
            }
            __syncthreads(); // both are there
        }
        for (int q = 0; q < 16; q++) // the sum
            sum += a[threadIdx.x / 16][q] * b[q][threadIdx.x % 16]; // goes on
    }
    C[row * n + col] = sum;
}

// pipelinify: launch product
//   sizes    n=16,32,48,64,96,128
//   target   n=2048
//   grid     n / 16, n / 4
//   block    64
//   A:       in  [n * n]
//   B:       in  [n * n]
//   C:       out [n * n]
//   n:       n
