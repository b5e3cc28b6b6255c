#pragma once

// The nearest number of 10 bits behind the point.
__device__ __forceinline__ float to_tf32(float x)
{
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return __uint_as_float(bits);
}

__device__ __forceinline__ unsigned low_bits(unsigned word)
{
    unsigned out;
    asm volatile("and.b32 %0, %1, %2;" : "=r"(out) : "r"(word), "r"(0xffu));
    return out;
}
