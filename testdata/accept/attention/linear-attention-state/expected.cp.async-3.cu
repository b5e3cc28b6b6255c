// Linear attention with a state per head: each thread keeps one column of the state in
// registers, and the keys, queries and decays of a time step pass through shared memory.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// A thread walks along its own channel: where it starts, and where it ends, are both its own.
// pipelinify: launch decayed_state<16>
//   sizes    steps=0,1,2,3,4,7,9 heads=1,3 batch=2
//   target   steps=2048 heads=64 batch=8
//   grid     batch * heads
//   block    16
//   q:       in  [batch * steps * heads * 16 + 1] range(-1, 1)
//   k:       in  [batch * steps * heads * 16 + 1] range(-1, 1)
//   v:       in  [batch * steps * heads * 16 + 1] range(-1, 1)
//   decay:   in  [batch * steps * heads * 16 + 1] range(0, 1)
//   y:       out [batch * steps * heads * 16 + 1]
//   steps:   steps
//   heads:   heads
template <int D>
__global__ void decayed_state(const float *__restrict__ q, const float *__restrict__ k,
                              const float *__restrict__ v, const float *__restrict__ decay,
                              float *__restrict__ y, int steps, int heads)
{
    constexpr int stages = 3;
    __shared__ float key_stage[stages][D], query_stage[stages][D], fade_stage[stages][D];
    const int c = threadIdx.x;
    const int sample = blockIdx.x / heads, head = blockIdx.x % heads;
    const int width = heads * D;
    float state[D] = {};

    // pipelinify: cp.async, 3 stages, source f66685a9
    int t = sample * steps * width + head * D + c, last = (sample + 1) * steps * width + head * D + c, t_load =
        t, stage = 0;
    if (t_load < last) {
        __syncthreads();
    }
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < last) {
            __pipeline_memcpy_async(&key_stage[load_stage][c], &k[t_load], sizeof(float));
            __pipeline_memcpy_async(&query_stage[load_stage][c], &q[t_load], sizeof(float));
            __pipeline_memcpy_async(&fade_stage[load_stage][c], &decay[t_load], sizeof(float));
            t_load += width;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (; t < last; t += width) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);

        const float value = v[t];
        float out = 0.f;
#pragma unroll
        for (int i = 0; i < D; ++i) {
            state[i] = state[i] * fade_stage[stage][i] + key_stage[stage][i] * value;
            out += query_stage[stage][i] * state[i];
        }
        y[t] = out;
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
}

// The same of pointers, in 16 bit, newest step first; the ends are said in the header.
// pipelinify: launch state_backwards
//   sizes    steps=0,1,2,3,5,8 heads=2 batch=1,2
//   target   steps=2048 heads=64 batch=8
//   grid     heads, batch
//   block    32
//   let      D = 32
//   g:       in  [batch * steps * heads * 32 + 1] below(100)
//   k:       in  [batch * steps * heads * 32 + 1] below(100)
//   dv:      out [batch * steps * heads * 32 + 1]
//   steps:   steps
//   heads:   heads
#define D 32
__global__ void state_backwards(const unsigned short *__restrict__ g, const unsigned short *__restrict__ k,
                                unsigned *__restrict__ dv, int steps, int heads)
{
    __shared__ unsigned short grad[D];
    __shared__ unsigned short keys[D];
    const int stride = heads * D, lane = threadIdx.x;
    const size_t origin = (size_t)blockIdx.y * steps * stride + blockIdx.x * D + lane;
    const unsigned short *gp = g + origin + (size_t)steps * stride;
    const unsigned short *kp = k + origin + (size_t)steps * stride;
    unsigned *out = dv + origin + (size_t)steps * stride;
    unsigned state[D] = {};
    while (gp != g + origin) {
        gp -= stride;
        kp -= stride;
        grad[lane] = *gp;
        keys[lane] = *kp;
        __syncthreads();
        unsigned sum = 0;
        for (int i = 0; i < D; ++i) {
            state[i] = state[i] / 2 + grad[i];
            sum += state[i] * keys[i];
        }
        out -= stride;
        *out = sum + keys[lane];
        __syncthreads();
    }
}

void attend(const float *q, const float *k, const float *v, const float *decay, float *y, int batch, int steps,
            int heads)
{
    decayed_state<16><<<batch * heads, 16>>>(q, k, v, decay, y, steps, heads);
}
