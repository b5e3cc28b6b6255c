// Which operators the sums are made by hangs on the template's argument. The one class in
// sight that has some is made of a float by functions of the toolkit, and by one that
// takes bits apart: each computes from its argument alone.
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

__device__ inline unsigned short bits_of(float value)
{
    unsigned bits = __float_as_uint(value);
    return bits >> 16 | (bits >> 15 & 1);
}

struct narrow {
    unsigned short bits;

    narrow() = default;
    __device__ narrow(float value) : bits(__half_as_ushort(__float2half(value))) {}
    __device__ operator float() const
    {
        return __half2float(*reinterpret_cast<const __half *>(&bits));
    }
};

struct brief {
    unsigned short bits;

    brief() = default;
    __device__ brief(float value) : bits(bits_of(value)) {}
    __device__ operator float() const { return __uint_as_float(unsigned(bits) << 16); }
};

__device__ inline narrow operator-(const narrow &a, const narrow &b)
{
    return static_cast<float>(a) - static_cast<float>(b);
}
__device__ inline narrow operator*(const narrow &a, const narrow &b)
{
    return static_cast<float>(a) * static_cast<float>(b);
}
__device__ inline narrow &operator+=(narrow &a, const narrow &b)
{
    a = static_cast<float>(a) + static_cast<float>(b);
    return a;
}
__device__ inline brief operator-(const brief &a, const brief &b)
{
    return static_cast<float>(a) - static_cast<float>(b);
}

// pipelinify: launch spread<float>
//   sizes   n=0,1,63,64,65,128,200,320
//   target  n=40000
//   grid    3
//   block   64
//   values: in  [n]
//   out:    out [192]
//   n:      n
template <class Value>
__global__ void spread(const Value *__restrict__ values, Value *__restrict__ out, int n)
{
    __shared__ Value tile_stage[2][64];
    Value sum = 0, own = blockIdx.x * 64 + threadIdx.x < n
                             ? values[blockIdx.x * 64 + threadIdx.x]
                             : Value(0);
    // pipelinify: cp.async, 2 stages, source b7d9c7d7
    static_assert(__is_trivially_copyable(Value) && !__is_same(Value, volatile Value),
                  "Value must be plain data and not volatile");
    static_assert(__is_trivially_copyable(Value) &&
                  (sizeof(Value) == 4 || sizeof(Value) == 8 || sizeof(Value) == 16) &&
                  alignof(Value) == sizeof(Value),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int first_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (first_load < n) {
            int last = min(n, first_load + 64) - first_load;
            if (threadIdx.x < last)
                __pipeline_memcpy_async(&tile_stage[load_stage][threadIdx.x],
                                        &values[first_load + threadIdx.x], sizeof(Value));
            first_load += 64;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int first = 0; first < n; first += 64) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        int last = min(n, first + 64) - first;
        for (int j = 0; j < last; ++j) {
            Value d = tile_stage[stage][j] - own;
            sum += d * d;
        }
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
