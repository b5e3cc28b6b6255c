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
    // 2 stages, and 1 byte more: a launch that gives another number is trapped
    unsigned raw_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(raw_given));
    if (raw_given % 256 != 1)
        __trap();
    struct raw_stages {
        unsigned char *first;
        unsigned bytes;
        __device__ unsigned char (&operator[](int stage) const)[] {
            return *reinterpret_cast<unsigned char (*)[]>(reinterpret_cast<char *>(first) +
                                                          stage * bytes);
        }
    };
    const raw_stages raw_stage = {raw, raw_given / 2};
    const int tid = threadIdx.x;
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 8c4faaef
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            auto &raw = raw_stage[stage];
            Panel<ROWS> &panel = *reinterpret_cast<Panel<ROWS> *>(raw);
            for (int r = 0; r < ROWS; ++r)
                sum += panel.rows[r][(tid + r) % 128] * (r + blockIdx.x);
        };
        {
            auto &raw = raw_stage[0];
            Panel<ROWS> &panel = *reinterpret_cast<Panel<ROWS> *>(raw);
            for (int r = 0; r < ROWS; ++r)
                panel.rows[r][tid] = k + r < n ? a[(k + r) * 128 + tid] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += ROWS; k < n; k += ROWS) {
            float rows_next[ROWS];
            #pragma unroll
            for (int r = 0; r < ROWS; ++r)
                rows_next[r] = k + r < n ? a[(k + r) * 128 + tid] : 0.f;
            compute_tile();
            stage ^= 1;
            {
                auto &raw = raw_stage[stage];
                Panel<ROWS> &panel = *reinterpret_cast<Panel<ROWS> *>(raw);
                #pragma unroll
                for (int r = 0; r < ROWS; ++r)
                    panel.rows[r][tid] = rows_next[r];
            }
            __syncthreads();
        }
        compute_tile();
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
    // 2 stages of 512 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned tile_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(tile_given));
    if (tile_given != 2 * 512 + 1)
        __trap();
    auto &tile_stage = reinterpret_cast<float (&)[2][128]>(tile);
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 18753902
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            auto &tile = tile_stage[stage];
            for (int i = 0; i < 128; ++i)
                sum += tile[i] * (i + blockIdx.x);
        };
        {
            auto &tile = tile_stage[0];
            tile[threadIdx.x] = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 128; k < n; k += 128) {
            float tile_next = k + threadIdx.x < n ? a[k + threadIdx.x] : 0.f;
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
    out[blockIdx.x * 128 + threadIdx.x] = sum;
}

void run(const float *a, float *out, int n)
{
    cudaFuncSetAttribute(panels<16>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                     2 * ((sizeof(Panel<16>) + 127) / 128 * 128) + 1);
    panels<16><<<2, 128, 2 * ((sizeof(Panel<16>) + 127) / 128 * 128) + 1>>>(a, out, n);
    if (n > 16) {
        cudaFuncSetAttribute(panels<48>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                     2 * ((sizeof(Panel<48>) + 127) / 128 * 128) + 1);
        panels<48><<<2, 128, 2 * ((sizeof(Panel<48>) + 127) / 128 * 128) + 1>>>(a, out, n);
    }

    cudaFuncSetAttribute(limited, cudaFuncAttributeMaxDynamicSharedMemorySize, 512);
    cudaFuncSetAttribute(limited, cudaFuncAttributeMaxDynamicSharedMemorySize, 2 * 512 + 1);
    limited<<<2, 128, 512 + 512 + 1>>>(a, out, n);
}
