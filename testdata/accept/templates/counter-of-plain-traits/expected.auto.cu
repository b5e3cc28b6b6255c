// A counter whose type the traits say, and that is volatile in none of the instantiations.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

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
    constexpr int stages = 8;
    __shared__ float strip_stage[stages][96];
    float mean = 0.f;
    // pipelinify: cp.async, 8 stages, source fd8e4cba
    static_assert(__is_trivially_copyable(typename Count::counter) &&
                  !__is_same(typename Count::counter, volatile typename Count::counter),
                  "typename Count::counter must be plain data and not volatile");
    int r_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (r_load < nrows) {
            __pipeline_memcpy_async(&strip_stage[load_stage][threadIdx.x],
                                    &rows[r_load * 96 + threadIdx.x], sizeof(float));
            ++r_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int r = 0; r < nrows; ++r) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int c = 0; c < 96; c += 4)
            mean += strip_stage[stage][(c + threadIdx.x) % 96] / nrows;
        if (threadIdx.x == 0)
            *done = r;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    means[threadIdx.x] = mean;
}

template __global__ void column_means<Narrow>(const float *, float *, int *, int);
template __global__ void column_means<Wide>(const float *, float *, long long *, int);
