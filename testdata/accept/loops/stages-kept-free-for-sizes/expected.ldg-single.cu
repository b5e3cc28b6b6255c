// Tiles whose size the argument says: as many stages as leave room for one of twice the size.
#include <cuda_runtime.h>

// pipelinify: launch sum_rows<float, 2048>
//   sizes    n=0,1,2,3,5
//   target   n=512
//   grid     1
//   block    256
//   x:       in  [n * 2048]
//   y:       out [256]
//   n:       n
template <class V, int SIZE>
__global__ void __launch_bounds__(256) sum_rows(const V *__restrict__ x, V *__restrict__ y, int n)
{
    __shared__ V s[SIZE];
    V sum = 0;
    // pipelinify: ldg-single, 1 stage, source 53108f6b
    static_assert(__is_trivially_copyable(V) && !__is_same(V, volatile V),
                  "V must be plain data and not volatile");
    int t = 0;
    if (t < n) {
        for (int i = threadIdx.x; i < SIZE; i += 256)
            s[i] = x[t * SIZE + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            V s_next[(SIZE + 256 - 1) / 256];
            #pragma unroll
            for (int slot = 0; slot < (SIZE + 256 - 1) / 256; ++slot) {
                int i = threadIdx.x + slot * 256;
                if (slot < SIZE / 256 || i < SIZE)
                    s_next[slot] = x[t * SIZE + i];
            }
            for (int k = 0; k < SIZE; k += 8)
                sum += s[(k + threadIdx.x) % SIZE];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < (SIZE + 256 - 1) / 256; ++slot) {
                int i = threadIdx.x + slot * 256;
                if (slot < SIZE / 256 || i < SIZE)
                    s[i] = s_next[slot];
            }
            __syncthreads();
        }
        for (int k = 0; k < SIZE; k += 8)
            sum += s[(k + threadIdx.x) % SIZE];
    }
    y[threadIdx.x] = sum;
}

void run(const float *x, float *y, int n) { sum_rows<float, 2048><<<1, 256>>>(x, y, n); }
