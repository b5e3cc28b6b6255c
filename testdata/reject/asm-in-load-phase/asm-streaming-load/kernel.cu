typedef unsigned long long u64;

// Hand-written non-coherent load with a memory clobber "to be safe".
__global__ void __launch_bounds__(64)
popcount_planes(const u64 *bits, unsigned *counts, int planes)
{
        __shared__ u64 plane[64];
        unsigned c = 0;
        for (int p = 0; p < planes; p++) {
                u64 v;
                asm volatile("ld.global.cs.u64 %0, [%1];"
                             : "=l"(v)
                             : "l"(bits + p * 64 + threadIdx.x)
                             : "memory");
                plane[threadIdx.x] = v;
                __syncthreads();
                for (int i = 0; i < 64; i++)
                        c += __popcll(plane[i] & plane[threadIdx.x]);
                __syncthreads();
        }
        counts[blockIdx.x * 64 + threadIdx.x] = c;
}
