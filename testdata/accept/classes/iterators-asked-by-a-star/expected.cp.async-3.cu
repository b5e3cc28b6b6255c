#include <cuda_pipeline.h>

// A vector is read through an iterator of the user's, whose star gives a reference.
template <typename E>
struct StridedIterator {
    const E *at;
    int stride;

    __device__ const E &operator*() const { return *at; }
    __device__ StridedIterator &operator++()
    {
        at += stride;
        return *this;
    }
};

// pipelinify: launch product
//   sizes    n=0,32,64,160
//   target   n=32768
//   grid     2
//   block    32
//   a:       in  [64 * n + 1]
//   x:       in  [n + 1]
//   y:       out [64]
//   n:       n
__global__ void product(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n)
{
    constexpr int stages = 3;
    __shared__ float part_stage[stages][32];
    const int row = blockIdx.x * 32 + threadIdx.x;
    StridedIterator<float> it{x + threadIdx.x, 32};
    float sum = 0.f;
    // pipelinify: cp.async, 3 stages, source 513e102a
    int j_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (j_load < n) {
            __pipeline_memcpy_async(&part_stage[load_stage][threadIdx.x], &*it, sizeof(float));
            ++it;
            j_load += 32;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int j = 0; j < n; j += 32) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int i = 0; i < 32; ++i)
            sum += a[(j + i) * 64 + row] * part_stage[stage][i];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    y[row] = sum;
}
