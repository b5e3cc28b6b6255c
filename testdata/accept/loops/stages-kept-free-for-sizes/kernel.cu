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
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < SIZE; i += 256)
            s[i] = x[t * SIZE + i];
        __syncthreads();
        for (int k = 0; k < SIZE; k += 8)
            sum += s[(k + threadIdx.x) % SIZE];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

void run(const float *x, float *y, int n) { sum_rows<float, 2048><<<1, 256>>>(x, y, n); }
