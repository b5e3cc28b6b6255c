// A counter whose type the traits say, and that is volatile in none of the instantiations.
#include <cuda_runtime.h>

struct Narrow {
    using counter = int;
};
struct Wide {
    using counter = long long;
};

// pipelinify: launch column_means<Narrow>
//   sizes    nrows=0,1,2,3,7
//   target   nrows=4096
//   grid     1
//   block    96
//   rows:    in  [nrows * 96]
//   means:   out [96]
//   done:    out [1]
//   nrows:   nrows
// pipelinify: launch column_means<Wide>
//   sizes    nrows=0,1,2,3,7
//   target   nrows=4096
//   grid     1
//   block    96
//   rows:    in  [nrows * 96]
//   means:   out [96]
//   done:    out [1]
//   nrows:   nrows
template <class Count>
__global__ void column_means(const float *__restrict__ rows, float *__restrict__ means,
                             typename Count::counter *__restrict__ done, int nrows)
{
    __shared__ float strip[96];
    float mean = 0.f;
    // pipelinify: ldg-single, 1 stage, source fd8e4cba
    static_assert(__is_trivially_copyable(typename Count::counter) &&
                  !__is_same(typename Count::counter, volatile typename Count::counter),
                  "typename Count::counter must be plain data and not volatile");
    int r = 0, r_tile = r;
    if (r < nrows) {
        auto compute_tile = [&]() {
            for (int c = 0; c < 96; c += 4)
                mean += strip[(c + threadIdx.x) % 96] / nrows;
            if (threadIdx.x == 0)
                *done = r_tile;
        };
        strip[threadIdx.x] = rows[r * 96 + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++r; r < nrows; ++r) {
            float strip_next = rows[r * 96 + threadIdx.x];
            compute_tile();
            ++r_tile;
            __syncthreads();
            strip[threadIdx.x] = strip_next;
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    means[threadIdx.x] = mean;
}

template __global__ void column_means<Narrow>(const float *, float *, int *, int);
template __global__ void column_means<Wide>(const float *, float *, long long *, int);
