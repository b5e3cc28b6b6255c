// Launches by calls of the toolkit's, from templates, with bytes that a macro or a
// template's argument decides.
#include <cuda_runtime.h>

#ifndef TILE
#define TILE 64
#endif

// Launched by a call, too, and asked how many of its blocks fit.
//
// pipelinify: launch by_call
//   sizes  n=0,1,63,64,65,200
//   grid   2
//   block  64
//   smem   64 * 4
//   a:     in  [n + 1] random
//   out:   out [128]
//   n:     n
__global__ void by_call(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source b648975a
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += blockDim.x; k < n; k += blockDim.x) {
            float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            for (int i = 0; i < blockDim.x; ++i)
                sum += tile[i] * (i + blockIdx.x);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < blockDim.x; ++i)
            sum += tile[i] * (i + blockIdx.x);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Launched by a template of the host, with two sizes.
//
// pipelinify: launch by_template
//   sizes  n=0,1,63,64,65,200
//   grid   2
//   block  64
//   smem   64 * 4
//   a:     in  [n + 1] random
//   out:   out [128]
//   n:     n
__global__ void by_template(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source b648975a
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += blockDim.x; k < n; k += blockDim.x) {
            float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            for (int i = 0; i < blockDim.x; ++i)
                sum += tile[i] * (i + blockIdx.x);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < blockDim.x; ++i)
            sum += tile[i] * (i + blockIdx.x);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Launched by a variable that holds it.
//
// pipelinify: launch by_variable
//   sizes  n=0,1,63,64,65,200
//   grid   2
//   block  64
//   smem   64 * 4
//   a:     in  [n + 1] random
//   out:   out [128]
//   n:     n
__global__ void by_variable(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source b648975a
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += blockDim.x; k < n; k += blockDim.x) {
            float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            for (int i = 0; i < blockDim.x; ++i)
                sum += tile[i] * (i + blockIdx.x);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < blockDim.x; ++i)
            sum += tile[i] * (i + blockIdx.x);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Another build may have another size.
//
// pipelinify: launch by_macro
//   sizes  n=0,1,63,64,65,200
//   grid   2
//   block  64
//   smem   64 * 4
//   a:     in  [n + 1] random
//   out:   out [128]
//   n:     n
__global__ void by_macro(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source b648975a
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += blockDim.x; k < n; k += blockDim.x) {
            float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            for (int i = 0; i < blockDim.x; ++i)
                sum += tile[i] * (i + blockIdx.x);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < blockDim.x; ++i)
            sum += tile[i] * (i + blockIdx.x);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// The type of the elements is an argument.
//
// pipelinify: launch by_type<double>
//   sizes  n=0,1,63,64,65,200
//   grid   2
//   block  64
//   smem   64 * 8
//   a:     in  [n + 1] random
//   out:   out [128]
//   n:     n
template <typename T>
__global__ void by_type(const T *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ T cells[];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 55db461f
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    int k = 0;
    if (k < n) {
        cells[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : T(0);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += blockDim.x; k < n; k += blockDim.x) {
            T cells_next = k + threadIdx.x < n ? a[k + threadIdx.x] : T(0);
            for (int i = 0; i < blockDim.x; ++i)
                sum += cells[i] * (i + blockIdx.x);
            __syncthreads();
            cells[threadIdx.x] = cells_next;
            __syncthreads();
        }
        for (int i = 0; i < blockDim.x; ++i)
            sum += cells[i] * (i + blockIdx.x);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

template <int THREADS>
void launch(const float *a, float *out, int n)
{
    by_template<<<2, THREADS, THREADS * sizeof(float)>>>(a, out, n);
}

void run(const float *a, const double *b, float *out, int n)
{
    const size_t bytes = 64 * sizeof(float);
    int blocks = 0, threads = 0;
    cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, by_call, bytes);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, by_call, 64, bytes);
    by_call<<<blocks > 2 ? 2 : blocks, 64, bytes>>>(a, out, n);
    void *arguments[] = {&a, &out, &n};
    cudaLaunchKernel((const void *)by_call, dim3(2), dim3(64), arguments, bytes, 0);

    launch<64>(a, out, n);
    launch<128>(a, out, n);

    auto *kernel = &by_variable;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 98304);
    kernel<<<2, 64, bytes>>>(a, out, n);

    by_macro<<<2, TILE, TILE * sizeof(float)>>>(a, out, n);
    by_type<double><<<2, 64, 64 * sizeof(double)>>>(b, out, n);
}
