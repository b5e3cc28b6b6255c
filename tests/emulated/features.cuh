#pragma once
// A copy by inline PTX, in a header of the kernel's own.
__device__ __forceinline__ void stage(float *to, const float *from, bool flag) {
  unsigned address = (unsigned)__cvta_generic_to_shared(to);
  int bytes = flag ? 4 : 0;
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;\n" ::"r"(address),
               "l"(from), "n"(4), "r"(bytes)
               : "memory");
}
