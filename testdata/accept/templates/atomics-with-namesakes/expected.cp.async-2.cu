// An atomic of CUDA's in a template, beside one of the user's for a type of his own, as files
// that are built for old devices and new ones have it.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

struct Fixed {
    short raw;
    Fixed() = default;
    __host__ __device__ Fixed(float v) : raw((short)(v * 16.f)) {}
    __host__ __device__ operator float() const { return raw / 16.f; }
};

#if (defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700) || defined(SMALL_DEVICES)
__device__ __forceinline__ void atomicAdd(Fixed *at, Fixed value)
{
    unsigned *word = (unsigned *)((char *)at - ((size_t)at & 2));
    unsigned old = *word, seen;
    do {
        seen = old;
        unsigned short part = (size_t)at & 2 ? (old >> 16) : (old & 0xffff);
        part += value.raw;
        old = (size_t)at & 2 ? (old & 0xffff) | (part << 16) : (old & 0xffff0000) | part;
        old = atomicCAS(word, seen, old);
    } while (seen != old);
}
#endif

// pipelinify: launch packed_columns<float>
//   sizes    batch=0,1,2,3,5,8 blocks=1,3
//   target   batch=4096 blocks=16
//   grid     blocks, 2
//   block    64
//   x:       in [batch * blocks * 64] range(-4, 4)
//   packed:  in [blocks * 8 * 128] random
//   y:       inout [batch * 128] range(-1, 1)
//   batch:   batch
// pipelinify: launch packed_columns<int>
//   sizes    batch=0,1,2,3,5,8 blocks=1,3
//   target   batch=4096 blocks=16
//   grid     blocks, 2
//   block    64
//   x:       in [batch * blocks * 64] range(-4, 4)
//   packed:  in [blocks * 8 * 128] random
//   y:       inout [batch * 128] range(-1, 1)
//   batch:   batch
template <typename T>
__global__ void packed_columns(const T *__restrict__ x, const unsigned *__restrict__ packed,
                               T *__restrict__ y, int batch)
{
    __shared__ T part_stage[2][64];
    const int row = blockIdx.x * 64, col = blockIdx.y * 64 + threadIdx.x;
    T weights[64];
    for (int k = 0; k < 64; ++k)
        weights[k] = T(int(packed[(blockIdx.x * 8 + k / 8) * 128 + col] >> (k % 8 * 4) & 15) - 8);
    T sum;
    // pipelinify: cp.async, 2 stages, source 2403215e
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) &&
                  (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) && alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int b_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (b_load < batch) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x],
                                    &x[b_load * gridDim.x * 64 + row + threadIdx.x], sizeof(T));
            ++b_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int b = 0; b < batch; ++b) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        sum = 0;
        for (int k = 0; k < 64; ++k)
            sum += weights[k] * part_stage[stage][k];
        atomicAdd(&y[b * 128 + col], sum);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
}

void run(const float *x, const unsigned *packed, float *y, const int *xi, int *yi, int batch)
{
    packed_columns<<<dim3(3, 2), 64>>>(x, packed, y, batch);
    packed_columns<<<dim3(3, 2), 64>>>(xi, packed, yi, batch);
}
