// Row sums of weights, where a class template knows the neutral element of a
// type and a friend defined inside another one multiplies.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

template <class T> struct Neutral {
    static __device__ T zero() { return T(0); }
};
template <> struct Neutral<double> {
    static __device__ double zero() { return 0.0; }
};

template <typename T> struct Scaled {
    T value;
    __device__ friend Scaled operator*(const Scaled &a, T by) { return Scaled{a.value * by}; }
};

// pipelinify: launch weigh<float>
//   sizes  n=0,1,32,33,64,96,100,200
//   target n=1000000
//   grid   2
//   block  32
//   a: in  [n + 1] range(-1, 1)
//   o: out [64]
//   n: n
//
// pipelinify: launch weigh<double>
//   sizes  n=0,32,33,64
//   target n=65536
//   block  32
//   a: in  [n + 1] range(-1, 1)
//   o: out [32]
//   n: n
template <typename T>
__global__ void weigh(const T *__restrict__ a, T *__restrict__ o, int n)
{
    constexpr int stages = 8;
    __shared__ T part_stage[stages][32];
    T sum = Neutral<T>::zero();
    // pipelinify: cp.async, 8 stages, source 89592e7b
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    static_assert(__is_trivially_copyable(T) &&
                  (sizeof(T) == 4 || sizeof(T) == 8 || sizeof(T) == 16) && alignof(T) == sizeof(T),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    int base_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (base_load < n) {
            int i = base_load + threadIdx.x;
            if (i < n) {
                __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x], &a[i], sizeof(T));
            } else {
                part_stage[load_stage][threadIdx.x] = Neutral<T>::zero();
            }
            base_load += 32;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int base = 0; base < n; base += 32) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int j = 0; j < 32; ++j)
            sum += (Scaled<T>{T(j + 1)} * part_stage[stage][j]).value;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    o[blockIdx.x * 32 + threadIdx.x] = sum;
}

template __global__ void weigh<float>(const float *, float *, int);
template __global__ void weigh<double>(const double *, double *, int);
