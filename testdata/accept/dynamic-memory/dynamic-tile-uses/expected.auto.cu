// Blocks of dynamic shared memory as tiles: what stands around their loops, and in them.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    // 4 stages of 256 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned tile_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
    if (tile_given != 4 * 256 + 1)
        __trap();
    auto &tile_stage = reinterpret_cast<float (&)[4][64]>(tile);
    float sum = 0.f;
    int stage = 0;
    // pipelinify: cp.async, 4 stages, source 01c4c9c0
    int k_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            auto &tile = tile_stage[load_stage];
            __pipeline_memcpy_async(&tile[threadIdx.x], &a[k_load + threadIdx.x], sizeof(float),
                                    (k_load + threadIdx.x < n) ? 0 : sizeof(float));
            k_load += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < 3; ++load_stage)
        copy_tile(load_stage);
    // Main loop: 3 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += 64) {
        __pipeline_wait_prior(2);
        __syncthreads();
        copy_tile(stage == 0 ? 3 : stage - 1);
        auto &tile = tile_stage[stage];
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        stage = stage == 3 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    // Back to the stage of the last tile.
    stage = stage == 0 ? 3 : stage - 1;
    __syncthreads();
    __syncthreads();
    tile_stage[stage][threadIdx.x ^ 1] = sum;
    __syncthreads();
    sum = tile_stage[stage][threadIdx.x];
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
    // 4 stages of 256 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned tile_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
    if (tile_given != 4 * 256 + 1)
        __trap();
    auto &tile_stage = reinterpret_cast<float (&)[4][64]>(tile);
    float sum = 0.f;
    for (int r = 0; r < 3; ++r)
    // pipelinify: cp.async, 4 stages, source b17ce24a
    {
        int k_load = r, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k_load < n) {
                auto &tile = tile_stage[load_stage];
                __pipeline_memcpy_async(&tile[threadIdx.x], &a[k_load + threadIdx.x], sizeof(float),
                                        (k_load + threadIdx.x < n) ? 0 : sizeof(float));
                k_load += 64;
            }
            __pipeline_commit();
        };
        for (int load_stage = 0; load_stage < 3; ++load_stage)
            copy_tile(load_stage);
        // Main loop: 3 tiles are in flight while computing on one.
        for (int k = r; k < n; k += 64) {
            __pipeline_wait_prior(2);
            __syncthreads();
            copy_tile(stage == 0 ? 3 : stage - 1);
            auto &tile = tile_stage[stage];
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * (i + blockIdx.x);
            stage = stage == 3 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
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
    // 4 stages of 256 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned tile_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
    if (tile_given != 4 * 256 + 1)
        __trap();
    auto &tile_stage = reinterpret_cast<float (&)[4][64]>(tile);
    float sum = 0.f;
    // pipelinify: cp.async, 4 stages, source 01c4c9c0
    {
        int k_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k_load < n) {
                auto &tile = tile_stage[load_stage];
                __pipeline_memcpy_async(&tile[threadIdx.x], &a[k_load + threadIdx.x], sizeof(float),
                                        (k_load + threadIdx.x < n) ? 0 : sizeof(float));
                k_load += 64;
            }
            __pipeline_commit();
        };
        for (int load_stage = 0; load_stage < 3; ++load_stage)
            copy_tile(load_stage);
        // Main loop: 3 tiles are in flight while computing on one.
        for (int k = 0; k < n; k += 64) {
            __pipeline_wait_prior(2);
            __syncthreads();
            copy_tile(stage == 0 ? 3 : stage - 1);
            auto &tile = tile_stage[stage];
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * (i + blockIdx.x);
            stage = stage == 3 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
    }
    // pipelinify: ldg, 2 stages, source 28210212
    {
        int k = 0, stage = 0;
        if (k < n) {
            auto compute_tile = [&]() {
                auto &tile = tile_stage[stage];
                for (int i = 0; i < 64; ++i)
                    sum += tile[i] * (i - blockIdx.x);
            };
            {
                auto &tile = tile_stage[0];
                tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] * 2 : 0.f;
            }
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k += 64; k < n; k += 64) {
                float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] * 2 : 0.f;
                compute_tile();
                stage ^= 1;
                {
                    auto &tile = tile_stage[stage];
                    tile[threadIdx.x] = tile_next;
                }
                __syncthreads();
            }
            compute_tile();
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
    // pipelinify: cp.async, 4 stages, source a82b7472
    {
        extern __shared__ float tile[];
        // 4 stages of 256 bytes, and 1 byte more: a launch that gives another number is trapped
        unsigned tile_given;
        asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
        if (tile_given != 4 * 256 + 1)
            __trap();
        auto &tile_stage = reinterpret_cast<float (&)[4][64]>(tile);
        int k_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k_load < n) {
                auto &tile = tile_stage[load_stage];
                __pipeline_memcpy_async(&tile[threadIdx.x], &a[k_load + threadIdx.x], sizeof(float),
                                        (k_load + threadIdx.x < n) ? 0 : sizeof(float));
                k_load += 64;
            }
            __pipeline_commit();
        };
        for (int load_stage = 0; load_stage < 3; ++load_stage)
            copy_tile(load_stage);
        // Main loop: 3 tiles are in flight while computing on one.
        for (int k = 0; k < n; k += 64) {
            __pipeline_wait_prior(2);
            __syncthreads();
            copy_tile(stage == 0 ? 3 : stage - 1);
            auto &tile = tile_stage[stage];
            for (int i = 0; i < 64; ++i)
                sum += tile[i] * (i + blockIdx.x);
            stage = stage == 3 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);
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
    // 4 stages of 384 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned raw_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(raw_given));
    if (raw_given != 4 * 384 + 1)
        __trap();
    auto &raw_stage = reinterpret_cast<unsigned char (&)[4][384]>(raw);
    float sum = 0.f;
    // pipelinify: cp.async, 4 stages, source 01c4c9c0
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            auto &raw = raw_stage[load_stage];
            float *tile = reinterpret_cast<float *>(raw) + n % 4;
            __pipeline_memcpy_async(&tile[threadIdx.x], &a[k_load + threadIdx.x], sizeof(float),
                                    (k_load + threadIdx.x < n) ? 0 : sizeof(float));
            k_load += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < 3; ++load_stage)
        copy_tile(load_stage);
    // Main loop: 3 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += 64) {
        __pipeline_wait_prior(2);
        __syncthreads();
        copy_tile(stage == 0 ? 3 : stage - 1);
        auto &raw = raw_stage[stage];
        float *tile = reinterpret_cast<float *>(raw) + n % 4;
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        stage = stage == 3 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    // 4 stages of 256 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned tile_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
    if (tile_given != 4 * 256 + 1)
        __trap();
    auto &tile_stage = reinterpret_cast<float (&)[4][64]>(tile);
    float sum = 0.f;
    // pipelinify: cp.async, 4 stages, source 08ea4f16
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            auto &tile = tile_stage[load_stage];
            if (k_load + threadIdx.x < n)
                __pipeline_memcpy_async(&tile[threadIdx.x], &a[k_load + threadIdx.x],
                                        sizeof(float));
            k_load += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < 3; ++load_stage)
        copy_tile(load_stage);
    // Main loop: 3 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += 64) {
        __pipeline_wait_prior(2);
        __syncthreads();
        copy_tile(stage == 0 ? 3 : stage - 1);
        auto &tile = tile_stage[stage];
        for (int i = 0; i < min(64, n - k); ++i)
            sum += tile[i] * (i + blockIdx.x);
        stage = stage == 3 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    // 4 stages of 256 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned tile_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
    if (tile_given != 4 * 256 + 1)
        __trap();
    auto &tile_stage = reinterpret_cast<float (&)[4][64]>(tile);
    float sum = 0.f;
    // pipelinify: cp.async, 4 stages, source 01c4c9c0
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            auto &tile = tile_stage[load_stage];
            __pipeline_memcpy_async(&tile[threadIdx.x], &a[k_load + threadIdx.x], sizeof(float),
                                    (k_load + threadIdx.x < n) ? 0 : sizeof(float));
            k_load += 64;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < 3; ++load_stage)
        copy_tile(load_stage);
    // Main loop: 3 tiles are in flight while computing on one.
    for (int k = 0; k < n; k += 64) {
        __pipeline_wait_prior(2);
        __syncthreads();
        copy_tile(stage == 0 ? 3 : stage - 1);
        auto &tile = tile_stage[stage];
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + blockIdx.x);
        stage = stage == 3 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
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
    // 2 stages of 384 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned pixels_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(pixels_given));
    if (pixels_given != 2 * 384 + 1)
        __trap();
    auto &pixels_stage = reinterpret_cast<rgb (&)[2][128]>(pixels);
    const rgb *colours = reinterpret_cast<const rgb *>(a);
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source aab36c0d
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            auto &pixels = pixels_stage[stage];
            for (int i = 0; i < 64; ++i)
                sum += pixels[i].g * (i + blockIdx.x);
        };
        {
            auto &pixels = pixels_stage[0];
            pixels[threadIdx.x] = k + threadIdx.x < n ? colours[k + threadIdx.x] : rgb();
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 64; k < n; k += 64) {
            rgb pixels_next = rgb();
            if (k + threadIdx.x < n)
                pixels_next = colours[k + threadIdx.x];
            compute_tile();
            stage ^= 1;
            {
                auto &pixels = pixels_stage[stage];
                pixels[threadIdx.x] = pixels_next;
            }
            __syncthreads();
        }
        compute_tile();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void run(const float *a, const unsigned char *bytes, float *out, int n, int size)
{
    behind<<<2, 64, 64 * sizeof(float) + 3 * 256 + 1>>>(a, out, n);
    again_and_again<<<2, 64, 64 * sizeof(float) + 3 * 256 + 1>>>(a, out, n);
    twice<<<2, 64, 64 * sizeof(float) + 3 * 256 + 1>>>(a, out, n);
    in_body<<<2, 64, 64 * sizeof(float) + 3 * 256 + 1>>>(a, out, n);
    guarded<<<2, 64, 64 * sizeof(float) + 3 * 256 + 1>>>(a, out, n);
    left_early<<<2, 64, 64 * sizeof(float) + 3 * 256 + 1>>>(a, out, n);
    aligned<<<2, 64, size>>>(a, out, n);
    by_bytes<<<2, 64, 68 * sizeof(float) + 1265>>>(a, out, n);
    by_three<<<2, 64, 64 * sizeof(rgb) + 577>>>(bytes, out, n);
}
