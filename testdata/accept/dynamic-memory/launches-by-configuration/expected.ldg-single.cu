// Launches by cudaLaunchKernelEx: the configuration's field is what gives more bytes.
#include <cuda_runtime.h>

// Set by an assignment; clusters and their question stay as they are.
//
// pipelinify: launch in_clusters
//   sizes  n=0,1,127,128,129,500
//   grid   4
//   block  128
//   smem   128 * 4
//   a:     in  [n + 1] random
//   out:   out [512]
//   n:     n
__global__ void in_clusters(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float cells[];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source ba8c843c
    int k = 0;
    if (k < n) {
        cells[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 128; k < n; k += 128) {
            float cells_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            for (int i = 0; i < 128; ++i)
                sum += cells[i] * (i + blockIdx.x);
            __syncthreads();
            cells[threadIdx.x] = cells_next;
            __syncthreads();
        }
        for (int i = 0; i < 128; ++i)
            sum += cells[i] * (i + blockIdx.x);
    }
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}

// Of two instantiations, launched by a template of the host's, one behind the other.
//
// pipelinify: launch of_type<double>
//   sizes  n=0,1,63,64,65,200
//   grid   2
//   block  64
//   smem   64 * 8
//   a:     in  [n + 1] random
//   out:   out [128]
//   n:     n
template <typename T>
__global__ void of_type(const T *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ double room[];
    T *cells = reinterpret_cast<T *>(room);
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source c1e5e341
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    int k = 0;
    if (k < n) {
        cells[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : T(0);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            T cells_next = k + threadIdx.x < n ? a[k + threadIdx.x] : T(0);
            for (int i = 0; i < 64; ++i)
                sum += cells[i] * (i + blockIdx.x);
            __syncthreads();
            cells[threadIdx.x] = cells_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += cells[i] * (i + blockIdx.x);
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// 26 KiB a block, which stages take beyond 48: given by initialisers, and asked for.
//
// pipelinify: launch wide
//   sizes  n=0,1,2,5
//   grid   1
//   block  256
//   smem   26624
//   a:     in  [n * 6656 + 1] random
//   out:   out [256]
//   n:     n
__global__ void wide(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float rows[];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 90f39749
    int k = 0;
    if (k < n) {
        for (int i = threadIdx.x; i < 6656; i += 256)
            rows[i] = a[k * 6656 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float rows_next[26];
            #pragma unroll
            for (int slot = 0; slot < 26; ++slot) {
                int i = (threadIdx.x < 256 ? threadIdx.x : 255) + slot * 256;
                rows_next[slot] = a[k * 6656 + i];
            }
            for (int i = 0; i < 26; ++i)
                sum += rows[(threadIdx.x * 7 + i * 256) % 6656] * (i + 1);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 26; ++slot) {
                int i = (threadIdx.x < 256 ? threadIdx.x : 255) + slot * 256;
                rows[i] = rows_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < 26; ++i)
            sum += rows[(threadIdx.x * 7 + i * 256) % 6656] * (i + 1);
    }
    out[threadIdx.x] = sum;
}

template <typename T>
cudaError_t start(const T *a, float *out, int n, cudaStream_t stream)
{
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(2);
    config.blockDim = dim3(64);
    config.stream = stream;
    config.dynamicSmemBytes = 64 * sizeof(T);
    cudaLaunchAttribute serial[1];
    serial[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
    serial[0].val.programmaticStreamSerializationAllowed = 1;
    config.attrs = serial;
    config.numAttrs = 1;
    return cudaLaunchKernelEx(&config, of_type<T>, a, out, n);
}

void run(const float *a, const double *b, float *out, int n, cudaStream_t stream)
{
    int clusters = 0;
    const size_t bytes = 128 * sizeof(float);
    cudaLaunchConfig_t config = {0};
    config.gridDim = 4;
    config.blockDim = 128;
    config.dynamicSmemBytes = bytes;
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = 2;
    attribute.val.clusterDim.y = 1;
    attribute.val.clusterDim.z = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaOccupancyMaxActiveClusters(&clusters, in_clusters, &config);
    if (clusters > 0)
        cudaLaunchKernelEx(&config, in_clusters, a, out, n);
    config.stream = stream;
    cudaLaunchKernelEx(&config, in_clusters, a, out, n);

    start(a, out, n, stream);
    start(b, out, n, stream);

    auto kernel = wide;
    void *arguments[] = {&a, &out, &n};
    cudaLaunchConfig_t once = {dim3(1), dim3(256), 26624, stream, nullptr, 0};
    cudaLaunchKernelExC(&once, (const void *)wide, arguments);
    cudaLaunchConfig_t again{dim3(1), dim3(256), 26624, stream};
    cudaLaunchKernelEx(&again, kernel, a, out, n);
}
