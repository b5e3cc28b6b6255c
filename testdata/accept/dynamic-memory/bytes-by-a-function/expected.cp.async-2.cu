// Three arrays in one block of dynamic shared memory, whose bytes a function of the host works out:
// it does no more than that, so that it can be asked twice.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

__global__ void pair_sums(const float *__restrict__ x, const float *__restrict__ w,
                          const int *__restrict__ id, float *__restrict__ out, int n, int cap)
{
    extern __shared__ char smem[];
    // 2 stages, and 1 byte more: a launch that gives another number is trapped
    unsigned smem_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(smem_given));
    if (smem_given % 256 != 1)
        __trap();
    struct smem_stages {
        char *first;
        unsigned bytes;
        __device__ char (&operator[](int stage) const)[] {
            return *reinterpret_cast<char (*)[]>(reinterpret_cast<char *>(first) + stage * bytes);
        }
    };
    const smem_stages smem_stage = {smem, smem_given / 2};
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float acc = 0;

    // pipelinify: cp.async, 2 stages, source 1d9c944d
    int b_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (b_load < n) {
            auto &smem = smem_stage[load_stage];
            float *sx = (float *)smem;
            float *sw = sx + cap;
            int *si = (int *)(sw + cap);
            auto &b = b_load;
            for (int e = threadIdx.x; e < cap; e += blockDim.x) {
                __pipeline_memcpy_async(&sx[e], &x[b + e], sizeof(float),
                                        (b + e < n) ? 0 : sizeof(float));
                __pipeline_memcpy_async(&sw[e], &w[b + e], sizeof(float),
                                        (b + e < n) ? 0 : sizeof(float));
                if (b + e < n) {
                    __pipeline_memcpy_async(&si[e], &id[b + e], sizeof(int));
                } else {
                    si[e] = -1;
                }
            }
            b += cap;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int b = 0; b < n; b += cap) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        auto &smem = smem_stage[stage];
        float *sx = (float *)smem;
        float *sw = sx + cap;
        int *si = (int *)(sw + cap);
        for (int e = 0; e < cap; ++e)
            if (si[e] != i)
                acc += sw[e] * fabsf(sx[e] - (float)i);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[i] = acc;
}

struct Footprint {
    int cap;
    size_t of_coordinates() const { return 2 * cap * sizeof(float); }
};

static size_t smem_bytes(int cap)
{
    const Footprint footprint{cap};
    size_t bytes = footprint.of_coordinates();
    bytes += cap * sizeof(int);
    return bytes;
}

void sum_pairs(const float *x, const float *w, const int *id, float *out, int n, int cap,
               cudaStream_t stream)
{
    cudaFuncSetAttribute(pair_sums, cudaFuncAttributeMaxDynamicSharedMemorySize,
                     2 * ((smem_bytes(cap) + 127) / 128 * 128) + 1);
    pair_sums<<<n / 32, 32, 2 * ((smem_bytes(cap) + 127) / 128 * 128) + 1, stream>>>(x, w, id, out, n, cap);
}

// This one counts how often it was asked: once a launch.
static int asked;

static size_t counted_bytes(int cap)
{
    ++asked;
    return cap * sizeof(float);
}

__global__ void sums(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float row[];
    float sum = 0;
    for (int b = 0; b < n; b += blockDim.x) {
        row[threadIdx.x] = x[b + threadIdx.x];
        __syncthreads();
        for (int e = 0; e < blockDim.x; ++e)
            sum += row[e] * (e ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

void sum_rows(const float *x, float *out, int n, int block)
{
    sums<<<1, block, counted_bytes(block)>>>(x, out, n);
}
