#include <cooperative_groups.h>
#include <cuda/pipeline>
// Producer and consumer each walk the same tiles of work; the pipeline lives over all of them.
template <class Pipe> struct Work {
    const float *in;
    float (*ring)[64];
    int items, parts;
    __device__ void produce(Pipe &pipe) const
    {
        unsigned stage = 0;
        for (int item = blockIdx.x; item < items; item += gridDim.x)
            for (int part = 0; part < parts; ++part) {
                pipe.producer_acquire();
                cuda::memcpy_async(&ring[stage & 1][2 * threadIdx.x], in + (item * parts + part) * 64 + 2 * threadIdx.x, 8, pipe);
                pipe.producer_commit();
                ++stage;
            }
    }
    __device__ void consume(Pipe &pipe, float *out) const
    {
        unsigned stage = 0;
        const int me = threadIdx.x - 32;
        for (int item = blockIdx.x; item < items; item += gridDim.x) {
            float best = -1e30f;
            for (int part = 0; part < parts; ++part, ++stage) {
                pipe.consumer_wait();
                best = fmaxf(best, ring[stage & 1][me] + ring[stage & 1][63 - me]);
                pipe.consumer_release();
            }
            out[item * 64 + me] = best;
        }
    }
};
__global__ void __launch_bounds__(96) tallest(const float *in, float *out, int items, int parts)
{
    using pipe_t = cuda::pipeline<cuda::thread_scope_block>;
    __shared__ alignas(8) float ring[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cooperative_groups::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state, threadIdx.x < 32 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    const Work<pipe_t> work{in, ring, items, parts};
    if (threadIdx.x < 32)
        work.produce(pipe);
    else
        work.consume(pipe, out);
}
void run(const float *i, float *o, int n, int p) { tallest<<<1, 96>>>(i, o, n, p); }
