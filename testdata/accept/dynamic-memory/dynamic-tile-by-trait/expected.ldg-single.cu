// The specialisations of a class give the dynamic shared memory under names of their own.
namespace fire {
typedef long long dim_t;
template <typename T> struct SharedMemory;
template <> struct SharedMemory<float> {
    __device__ float *getPointer()
    {
        extern __shared__ float ptr_float[];
        return ptr_float;
    }
};
template <> struct SharedMemory<double> {
    __device__ double *getPointer()
    {
        extern __shared__ double ptr_double[];
        return ptr_double;
    }
};

// pipelinify: launch fire::convolve1<float, float, false>
//   sizes    N=1,63,64,65,200 F=1,3,9
//   grid     2
//   block    64
//   smem     (64 + F - 1) * 4
//   signal:  in [2 * N]
//   impulse: in [F]
//   out:     out [2 * N]
//   n:       N
//   fLen:    F
// pipelinify: launch fire::convolve1<double, double, true>
//   sizes    N=1,64,65,200 F=1,3,9
//   grid     2
//   block    64
//   smem     (64 + F - 1) * 8
//   signal:  in [2 * N]
//   impulse: in [F]
//   out:     out [2 * N]
//   n:       N
//   fLen:    F
template <typename T, typename aT, bool expand>
__global__ void convolve1(const T *__restrict__ signal, const aT *__restrict__ impulse, T *__restrict__ out, int n,
                          int fLen)
{
    SharedMemory<T> shared;
    T *shrdMem = shared.getPointer();
    const int padding = fLen - 1;
    const int shrdLen = blockDim.x + padding;
    const T *src = signal + (dim_t)blockIdx.x * n;
    T *dst = out + (dim_t)blockIdx.x * n;
    const int start = expand ? 0 : fLen / 2;

    // pipelinify: ldg-single, 1 stage, source e2b7fe24
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(aT) && !__is_same(aT, volatile aT), "aT must be plain data and not volatile");
    int gx0 = 0, gx0_tile = gx0;
    if (gx0 < n) {
        auto compute_tile = [&]() {
            const int gx = gx0_tile + threadIdx.x;
            if (gx < n) {
                aT accum = aT(0);
                for (int f = 0; f < fLen; ++f)
                    accum = accum + aT(shrdMem[threadIdx.x + f]) * impulse[fLen - 1 - f];
                dst[gx] = (T)accum;
            }
        };
        for (int i = threadIdx.x; i < shrdLen; i += blockDim.x) {
            int idx = gx0 + i - padding + start;
            shrdMem[i] = (idx >= 0 && idx < n) ? src[idx] : T(0);
        }
        gx0 += blockDim.x;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; gx0 < n; gx0 += blockDim.x) {
            T shrdMem_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < shrdLen) {
                    int idx = gx0 + i - padding + start;
                    shrdMem_next[slot] = (idx >= 0 && idx < n) ? src[idx] : T(0);
                }
            }
            compute_tile();
            gx0_tile += blockDim.x;
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = threadIdx.x + slot * blockDim.x;
                if (i < shrdLen) {
                    shrdMem[i] = shrdMem_next[slot];
                }
            }
            // What has not been fetched ahead.
            for (int i = threadIdx.x + 8 * blockDim.x; i < shrdLen; i += blockDim.x) {
                int idx = gx0 + i - padding + start;
                shrdMem[i] = (idx >= 0 && idx < n) ? src[idx] : T(0);
            }
            __syncthreads();
        }
        compute_tile();
    }
}
} // namespace fire
