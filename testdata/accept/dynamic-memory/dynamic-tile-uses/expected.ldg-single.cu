// Blocks of dynamic shared memory as tiles: what stands around their loops, and in them.
#include <cuda_runtime.h>

// The block serves for something else behind the loop.
//
// pipelinify: launch behind
//   sizes  n=0,1,63,64,65,200,256
//   grid   2
//   block  64
//   smem   256
//   a:     in  [n + 4] random
//   out:   out [128]
//   n:     n
__global__ void behind(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 01c4c9c0
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * (i + blockIdx.x);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        __syncthreads();
    }
    __syncthreads();
    tile[threadIdx.x ^ 1] = sum;
    __syncthreads();
    sum = tile[threadIdx.x];
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// A loop around the tile loop.
//
// pipelinify: launch again_and_again
//   sizes  n=0,1,63,64,65,200,256
//   grid   2
//   block  64
//   smem   256
//   a:     in  [n + 4] random
//   out:   out [128]
//   n:     n
__global__ void again_and_again(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    for (int r = 0; r < 3; ++r)
    // pipelinify: ldg-single, 1 stage, source b17ce24a
    {
        int k = r;
        if (k < n) {
            tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k += 64; k < n; k += 64) {
                float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
                for (int i = 0; i < 64; ++i)
                    sum += tile[i] * (i + blockIdx.x);
                __syncthreads();
                tile[threadIdx.x] = tile_next;
                __syncthreads();
            }
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * (i + blockIdx.x);
            __syncthreads();
        }
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Two loops over one block.
//
// pipelinify: launch twice
//   sizes  n=0,1,63,64,65,200,256
//   grid   2
//   block  64
//   smem   256
//   a:     in  [n + 4] random
//   out:   out [128]
//   n:     n
__global__ void twice(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 01c4c9c0
    {
        int k = 0;
        if (k < n) {
            tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k += 64; k < n; k += 64) {
                float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
                for (int i = 0; i < 64; ++i)
                    sum += tile[i] * (i + blockIdx.x);
                __syncthreads();
                tile[threadIdx.x] = tile_next;
                __syncthreads();
            }
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * (i + blockIdx.x);
            __syncthreads();
        }
    }
    // pipelinify: ldg-single, 1 stage, source 28210212
    {
        int k = 0;
        if (k < n) {
            tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] * 2 : 0.f;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k += 64; k < n; k += 64) {
                float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] * 2 : 0.f;
                for (int i = 0; i < 64; ++i)
                    sum += tile[i] * (i - blockIdx.x);
                __syncthreads();
                tile[threadIdx.x] = tile_next;
                __syncthreads();
            }
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * (i - blockIdx.x);
        }
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Declared in the body of the loop.
//
// pipelinify: launch in_body
//   sizes  n=0,1,63,64,65,200,256
//   grid   2
//   block  64
//   smem   256
//   a:     in  [n + 4] random
//   out:   out [128]
//   n:     n
__global__ void in_body(const float *__restrict__ a, float *__restrict__ out, int n)
{
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source a82b7472
    {
        extern __shared__ float tile[];
        int k = 0;
        if (k < n) {
            tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k += 64; k < n; k += 64) {
                float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
                for (int i = 0; i < 64; ++i)
                    sum += tile[i] * (i + blockIdx.x);
                __syncthreads();
                tile[threadIdx.x] = tile_next;
                __syncthreads();
            }
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * (i + blockIdx.x);
        }
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Declared as bytes, and the tile begins where the run says.
//
// pipelinify: launch by_bytes
//   sizes  n=0,1,63,64,65,200,256
//   grid   2
//   block  64
//   smem   272
//   a:     in  [n + 4] random
//   out:   out [128]
//   n:     n
__global__ void by_bytes(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ __align__(16) unsigned char raw[];
    float *tile = reinterpret_cast<float *>(raw) + n % 4;
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 01c4c9c0
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * (i + blockIdx.x);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// A guard leaves cells that compute does not read.
//
// pipelinify: launch guarded
//   sizes  n=0,1,63,64,65,200,256
//   grid   2
//   block  64
//   smem   256
//   a:     in  [n + 4] random
//   out:   out [128]
//   n:     n
__global__ void guarded(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ float tile[];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 08ea4f16
    int k = 0, k_tile = k;
    if (k < n) {
        if (k + threadIdx.x < n)
            tile[threadIdx.x] = a[k + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            float tile_next;
            if (k + threadIdx.x < n)
                tile_next = a[k + threadIdx.x];
            for (int i = 0; i < min(64, n - k_tile); ++i)
                sum += tile[i] * (i + blockIdx.x);
            k_tile += 64;
            __syncthreads();
            if (k + threadIdx.x < n)
                tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < min(64, n - k_tile); ++i)
            sum += tile[i] * (i + blockIdx.x);
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// Blocks that leave before.
//
// pipelinify: launch left_early
//   sizes  n=0,1,63,64,65,200,256
//   grid   2
//   block  64
//   smem   256
//   a:     in  [n + 4] random
//   out:   out [128]
//   n:     n
__global__ void left_early(const float *__restrict__ a, float *__restrict__ out, int n)
{
    if (blockIdx.x > n)
        return;
    extern __shared__ float tile[];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 01c4c9c0
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * (i + blockIdx.x);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

// What the tile asks of its place holds for each stage, whatever the run decides.
//
// pipelinify: launch aligned
//   sizes  n=0,1,63,64,65,200,256
//   grid   2
//   block  64
//   smem   256
//   a:     in  [n + 4] random
//   out:   out [128]
//   n:     n
__global__ void aligned(const float *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ __align__(1024) float tile[];  // as its readers ask
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 01c4c9c0
    int k = 0;
    if (k < n) {
        tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * (i + blockIdx.x);
            __syncthreads();
            tile[threadIdx.x] = tile_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

struct rgb {
    unsigned char r, g, b;
};

// Elements that do not divide a stage.
//
// pipelinify: launch by_three
//   sizes  n=0,1,63,64,65,200,256
//   grid   2
//   block  64
//   smem   192
//   a:     in  [3 * n + 12] below(9)
//   out:   out [128]
//   n:     n
__global__ void by_three(const unsigned char *__restrict__ a, float *__restrict__ out, int n)
{
    extern __shared__ rgb pixels[];
    const rgb *colours = reinterpret_cast<const rgb *>(a);
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source aab36c0d
    int k = 0;
    if (k < n) {
        pixels[threadIdx.x] = k + threadIdx.x < n ? colours[k + threadIdx.x] : rgb();
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            rgb pixels_next = rgb();
            if (k + threadIdx.x < n)
                pixels_next = colours[k + threadIdx.x];
            for (int i = 0; i < 64; ++i)
                sum += pixels[i].g * (i + blockIdx.x);
            __syncthreads();
            pixels[threadIdx.x] = pixels_next;
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            sum += pixels[i].g * (i + blockIdx.x);
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void run(const float *a, const unsigned char *bytes, float *out, int n, int size)
{
    behind<<<2, 64, 64 * sizeof(float)>>>(a, out, n);
    again_and_again<<<2, 64, 64 * sizeof(float)>>>(a, out, n);
    twice<<<2, 64, 64 * sizeof(float)>>>(a, out, n);
    in_body<<<2, 64, 64 * sizeof(float)>>>(a, out, n);
    guarded<<<2, 64, 64 * sizeof(float)>>>(a, out, n);
    left_early<<<2, 64, 64 * sizeof(float)>>>(a, out, n);
    aligned<<<2, 64, size>>>(a, out, n);
    by_bytes<<<2, 64, 68 * sizeof(float)>>>(a, out, n);
    by_three<<<2, 64, 64 * sizeof(rgb)>>>(bytes, out, n);
}
