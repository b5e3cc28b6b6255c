#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// What stands for a cell in tables of dirty cells: its address in units of cells.
struct Handle {
    unsigned long long at;
};

// 16.16 fixed point. `&` gives a handle, no pointer.
struct Fixed {
    int raw;

    __device__ Handle operator&() const { return Handle{(unsigned long long)this / sizeof(int)}; }
};

// A set of 32 flags. `&` is the intersection of two, and the address of one.
struct Flags {
    unsigned bits;

    __device__ Flags operator&(Flags other) const { return Flags{bits & other.bits}; }
};

// pipelinify: launch fixed_dots
//   sizes    rows=128 n=0,1,127,128,129,256,500,640
//   sizes    rows=384 n=64,257
//   target   rows=65536 n=4096
//   grid     rows / 128
//   block    128
//   x:       in  [n] below(2048)
//   w:       in  [rows] below(2048)
//   dots:    inout [rows] below(100)
//   n:       n
__global__ void fixed_dots(const int *__restrict__ x, const int *__restrict__ w,
                           int *__restrict__ dots, int n)
{
    __shared__ Fixed part[128];
    const Fixed *samples = reinterpret_cast<const Fixed *>(x);
    const Fixed scale = reinterpret_cast<const Fixed *>(w)[blockIdx.x * 128 + threadIdx.x];
    long long sum = 0;

    for (int base = 0; base < n; base += 128) {
        if (base + threadIdx.x < n)
            part[threadIdx.x] = samples[base + threadIdx.x];
        else
            part[threadIdx.x] = Fixed{0};
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            sum += (long long)part[i].raw * scale.raw;
        __syncthreads();
    }
    dots[blockIdx.x * 128 + threadIdx.x] += (int)(sum >> 16);
}

// pipelinify: launch common_flags
//   sizes    rows=128 n=0,1,127,128,129,256,500,640
//   sizes    rows=384 n=64,257
//   target   rows=65536 n=4096
//   grid     rows / 128
//   block    128
//   sets:    in  [n] random
//   mine:    in  [rows] random
//   common:  inout [rows] below(100)
//   n:       n
__global__ void common_flags(const unsigned *__restrict__ sets, const unsigned *__restrict__ mine,
                             int *__restrict__ common, int n)
{
    __shared__ Flags part_stage[2][128];
    const Flags *others = reinterpret_cast<const Flags *>(sets);
    const Flags own{mine[blockIdx.x * 128 + threadIdx.x]};
    int count = 0;

    // pipelinify: cp.async, 2 stages, source c8c11a39
    int base_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (base_load < n) {
            if (base_load + threadIdx.x < n)
                __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x],
                                        &others[base_load + threadIdx.x], sizeof(Flags));
            base_load += 128;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int base = 0; base < n; base += 128) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int i = 0; i < 128 && base + i < n; ++i)
            count += __popc((part_stage[stage][i] & own).bits);
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    common[blockIdx.x * 128 + threadIdx.x] += count;
}
