#include <cuda_runtime.h>

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
    __shared__ Fixed part_stage[2][128];
    const Fixed *samples = reinterpret_cast<const Fixed *>(x);
    const Fixed scale = reinterpret_cast<const Fixed *>(w)[blockIdx.x * 128 + threadIdx.x];
    long long sum = 0;

    // pipelinify: ldg, 2 stages, source 753f67fa
    int base = 0, stage = 0;
    if (base < n) {
        if (base + threadIdx.x < n)
            part_stage[0][threadIdx.x] = samples[base + threadIdx.x];
        else
            part_stage[0][threadIdx.x] = Fixed{0};
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += 128; base < n; base += 128) {
            Fixed part_next;
            if (base + threadIdx.x < n)
                part_next = samples[base + threadIdx.x];
            else
                part_next = Fixed{0};
            for (int i = 0; i < 128; ++i)
                sum += (long long)part_stage[stage][i].raw * scale.raw;
            stage ^= 1;
            part_stage[stage][threadIdx.x] = part_next;
            __syncthreads();
        }
        for (int i = 0; i < 128; ++i)
            sum += (long long)part_stage[stage][i].raw * scale.raw;
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

    // pipelinify: ldg, 2 stages, source c8c11a39
    int base = 0, base_tile = base, stage = 0;
    if (base < n) {
        if (base + threadIdx.x < n)
            part_stage[0][threadIdx.x] = others[base + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += 128; base < n; base += 128) {
            Flags part_next;
            if (base + threadIdx.x < n)
                part_next = others[base + threadIdx.x];
            for (int i = 0; i < 128 && base_tile + i < n; ++i)
                count += __popc((part_stage[stage][i] & own).bits);
            base_tile += 128;
            stage ^= 1;
            if (base + threadIdx.x < n)
                part_stage[stage][threadIdx.x] = part_next;
            __syncthreads();
        }
        for (int i = 0; i < 128 && base_tile + i < n; ++i)
            count += __popc((part_stage[stage][i] & own).bits);
    }
    common[blockIdx.x * 128 + threadIdx.x] += count;
}
