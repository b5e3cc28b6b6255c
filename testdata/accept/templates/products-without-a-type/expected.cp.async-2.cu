// Rows of values against a thread's own weights, for any type of values; each
// block has a part of the rows. A class beside it, for the host's own
// bookkeeping, has operators that count: no use of the kernel has it as its type,
// so that what `weights[k] * row[k]` gives is a number, and `&row[0] + k` an
// address, although the template alone does not say so.
//
// pipelinify: launch weighted_rows<float, 64>
//   sizes    R=0,1,2,3,5,9 P=1,3
//   grid     P
//   block    64
//   rows:    in    [R * P * 64]  range(-4, 4)
//   scales:  in    [P * 64]
//   sums:    inout [R * P * 64]
//   nrows:   R
//
// pipelinify: launch weighted_rows<double, 64>
//   sizes    R=0,1,4 P=2
//   grid     P
//   block    64
//   rows:    in    [R * P * 64]  range(-4, 4)
//   scales:  in    [P * 64]
//   sums:    inout [R * P * 64]
//   nrows:   R
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

__device__ unsigned long long additions;

struct Counted
{
    float value;
    __device__ Counted &operator+=(const Counted &other)
    {
        atomicAdd(&additions, 1ull);
        value += other.value;
        return *this;
    }
    __device__ operator float() const
    {
        atomicAdd(&additions, 1ull);
        return value;
    }
};

template <typename T, int PART>
__global__ void __launch_bounds__(PART)
weighted_rows(const T *__restrict__ rows, const float *__restrict__ scales,
              T *__restrict__ sums, int nrows)
{
    __shared__ T row_stage[2][PART];
    float weights[PART];
    for (int k = 0; k < PART; ++k)
        weights[k] = scales[blockIdx.x * PART + (threadIdx.x + k) % PART];

    T sum;
    // pipelinify: cp.async, 2 stages, source 4ecd2572
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) &&
                  (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) && alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int r_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage)
    {
        if (r_load < nrows)
        {
            __pipeline_memcpy_async(&row_stage[load_stage][threadIdx.x],
                                    &rows[(r_load * gridDim.x + blockIdx.x) * PART + threadIdx.x],
                                    sizeof(T));
            ++r_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int r = 0; r < nrows; ++r)
    {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        sum = 0;
        for (int k = 0; k < PART; ++k)
            sum += weights[k] * row_stage[stage][k] -
                   (*(&row_stage[stage][PART - 1] - k) + sum) * T(0.125);
        unsigned sign = *(unsigned *)(weights + PART / 2) >> 31;
        sums[(r * gridDim.x + blockIdx.x) * PART + threadIdx.x] += sum + sign;
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
}

void sum_rows(const float *rows, const float *scales, float *sums, int nrows, int nparts)
{
    weighted_rows<float, 64><<<nparts, 64>>>(rows, scales, sums, nrows);
}

void sum_rows(const double *rows, const float *scales, double *sums, int nrows, int nparts)
{
    weighted_rows<double, 64><<<nparts, 64>>>(rows, scales, sums, nrows);
}
