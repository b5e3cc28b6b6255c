// With stages the tiles need more than a launch may give unless it is allowed to: a
// statement in front of each launch does. Each instantiation has a size of its own.
#include <cuda_runtime.h>

template <int ROWS>
struct Panel {
    float rows[ROWS][128];
};

// pipelinify: launch panels<16>
//   sizes n=0,1,16,17,40,48
//   grid  2
//   block 128
//   smem  16 * 128 * 4
//   a:    in  [n * 128 + 1] random
//   out:  out [256]
//   n:    n

// pipelinify: launch panels<48>
//   sizes n=0,1,48,49,100
//   grid  2
//   block 128
//   smem  48 * 128 * 4
//   a:    in  [n * 128 + 1] random
//   out:  out [256]
//   n:    n
template <int ROWS>
__global__ void panels(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ __align__(16) unsigned char raw[];
    Panel<ROWS> &panel = *reinterpret_cast<Panel<ROWS> *>(raw);
    const int tid = threadIdx.x;
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 8c4faaef
    int k = 0;
    if (k < n) {
        for (int r = 0; r < ROWS; ++r)
            panel.rows[r][tid] = k + r < n ? a[(k + r) * 128 + tid] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += ROWS; k < n; k += ROWS) {
            float rows_next[ROWS];
            #pragma unroll
            for (int r = 0; r < ROWS; ++r)
                rows_next[r] = k + r < n ? a[(k + r) * 128 + tid] : 0.f;
            for (int r = 0; r < ROWS; ++r)
                sum += panel.rows[r][(tid + r) % 128] * (r + blockIdx.x);
            __syncthreads();
            #pragma unroll
            for (int r = 0; r < ROWS; ++r)
                panel.rows[r][tid] = rows_next[r];
            __syncthreads();
        }
        for (int r = 0; r < ROWS; ++r)
            sum += panel.rows[r][(tid + r) % 128] * (r + blockIdx.x);
    }
    out[blockIdx.x * 128 + tid] = sum;
}

// Limited by the host to what it needs so far.
//
// pipelinify: launch limited
//   sizes n=0,1,127,128,129,300
//   grid  2
//   block 128
//   smem  512
//   a:    in  [n + 1] random
//   out:  out [256]
//   n:    n
__global__ void limited(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 18753902
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 128; k < n; k += 128) {
            float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            for (int i = 0; i < 128; ++i)
                sum += tile[i] * (i + blockIdx.x);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < 128; ++i)
            sum += tile[i] * (i + blockIdx.x);
    }
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}

void run(const float *a, float *out, int n)
{
    panels<16><<<2, 128, sizeof(Panel<16>)>>>(a, out, n);
    if (n > 16) {
        panels<48><<<2, 128, sizeof(Panel<48>)>>>(a, out, n);
    }

    cudaFuncSetAttribute(limited, cudaFuncAttributeMaxDynamicSharedMemorySize, 512);
    limited<<<2, 128, 512>>>(a, out, n);
}
