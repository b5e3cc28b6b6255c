// Sums of scaled 4-bit weights: a word's nibbles become halves by logic on three
// words and arithmetic on two halves at a time, on their way to the tile; matrices
// of it are read by ldmatrix, whose place is a variable that has the name of the
// register it comes from.
//
// pipelinify: launch nibble_sums
//   sizes    S=0,1,2,3,4,7
//   grid     2
//   block    32
//   packed:  in    [S * 64 + 1]
//   scales:  in    [S + 1]  range(0.5, 2)
//   sums:    inout [64]
//   steps:   S
#include <cuda_fp16.h>

__device__ __forceinline__ unsigned low_halves(unsigned word)
{
    unsigned two;
    asm("lop3.b32 %0, %1, %2, %3, %4;"
        : "=r"(two) : "r"(word), "n"(0x000f000f), "n"(0x64006400), "n"(0xea));
    asm("sub.f16x2 %0, %1, %2;" : "=r"(two) : "r"(two), "r"(0x64006400));
    return two;
}

__device__ __forceinline__ unsigned high_halves(unsigned word)
{
    unsigned two;
    asm("lop3.b32 %0, %1, %2, %3, %4;"
        : "=r"(two) : "r"(word), "n"(0x00f000f0), "n"(0x64006400), "n"(0xea));
    asm("fma.rn.f16x2 %0, %1, %2, %3;"
        : "=r"(two) : "r"(two), "r"(0x2c002c00), "r"(0xd400d400));
    return two;
}

__global__ void __launch_bounds__(32)
nibble_sums(const unsigned *__restrict__ packed, const float *__restrict__ scales,
            float *__restrict__ sums, int steps)
{
    __shared__ __align__(16) unsigned tile_stage[2][2][8][4];
    const int lane = threadIdx.x;
    float sum = 0.0f;
    int stage = 0;
    // pipelinify: ldg, 2 stages, source 60211f1b
    int s = 0, s_tile = s;
    if (s < steps)
    {
        auto compute_tile = [&]()
        {
            auto &tile = tile_stage[stage];
            unsigned at, two[2];
            asm volatile("{ .reg .u64 at; cvta.to.shared.u64 at, %1; cvt.u32.u64 %0, at; }"
                         : "=r"(at) : "l"(&tile[lane / 8 % 2][lane % 8][0]));
            asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16{%0, %1}, [%2];"
                         : "=r"(two[0]), "=r"(two[1]) : "r"(at));
            for (int m = 0; m < 2; ++m)
            {
                float2 values = __half22float2(*(half2 *)&two[m]);
                sum += (values.x - 2.0f * values.y) * scales[s_tile];
            }
        };
        {
            unsigned word = packed[(s * 2 + blockIdx.x) * 32 + lane];
            tile_stage[0][0][lane / 4][lane % 4] = low_halves(word);
            tile_stage[0][1][lane / 4][lane % 4] = high_halves(word);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++s; s < steps; ++s)
        {
            unsigned word = packed[(s * 2 + blockIdx.x) * 32 + lane];
            compute_tile();
            ++s_tile;
            stage ^= 1;
            tile_stage[stage][0][lane / 4][lane % 4] = low_halves(word);
            tile_stage[stage][1][lane / 4][lane % 4] = high_halves(word);
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    tile_stage[stage][0][lane / 4][lane % 4] = __float_as_uint(sum);
    __syncthreads();
    sums[blockIdx.x * 32 + lane] += sum + __uint_as_float(tile_stage[stage][0][lane % 8][lane / 8]);
}
