// Linear attention with a state per head: each thread keeps one column of the state in
// registers, and the keys, queries and decays of a time step pass through shared memory.
#include <cuda_runtime.h>

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
    __shared__ float key_stage[2][D], query_stage[2][D], fade_stage[2][D];
    const int c = threadIdx.x;
    const int sample = blockIdx.x / heads, head = blockIdx.x % heads;
    const int width = heads * D;
    float state[D] = {};

    // pipelinify: ldg, 2 stages, source f66685a9
    {
        int t = sample * steps * width + head * D + c, last = (sample + 1) * steps * width + head * D + c;
        auto t_tile = t;
        if (t < last) {
            __syncthreads();
            // Computes on the tile in a stage.
            auto compute_tile = [&](int stage) {
                auto &key = key_stage[stage];
                auto &query = query_stage[stage];
                auto &fade = fade_stage[stage];
                auto &t = t_tile;
                const float value = v[t];
                float out = 0.f;
                #pragma unroll
                for (int i = 0; i < D; ++i) {
                    state[i] = state[i] * fade[i] + key[i] * value;
                    out += query[i] * state[i];
                }
                y[t] = out;
            };

            // Prologue: load the first tile.
            {
                auto &key = key_stage[0];
                auto &query = query_stage[0];
                auto &fade = fade_stage[0];
                key[c] = k[t];
                query[c] = q[t];
                fade[c] = decay[t];
            }
            t += width;
            __syncthreads();

            // Main loop: fetch the next tile while computing on this one.
            int stage = 0;
            for (; t < last; t += width) {
                float key_next = k[t];
                float query_next = q[t];
                float fade_next = decay[t];
                compute_tile(stage);
                t_tile += width;
                stage ^= 1;
                {
                    auto &key = key_stage[stage];
                    auto &query = query_stage[stage];
                    auto &fade = fade_stage[stage];
                    key[c] = key_next;
                    query[c] = query_next;
                    fade[c] = fade_next;
                }
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            compute_tile(stage);
        }
    }
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
    __shared__ unsigned short grad_stage[2][D];
    __shared__ unsigned short keys_stage[2][D];
    const int stride = heads * D, lane = threadIdx.x;
    const size_t origin = (size_t)blockIdx.y * steps * stride + blockIdx.x * D + lane;
    const unsigned short *gp = g + origin + (size_t)steps * stride;
    const unsigned short *kp = k + origin + (size_t)steps * stride;
    unsigned *out = dv + origin + (size_t)steps * stride;
    unsigned state[D] = {};
    // pipelinify: ldg, 2 stages, source 35c4d50b
    {
        if (gp != g + origin) {
            // Computes on the tile in a stage.
            auto compute_tile = [&](int stage) {
                auto &grad = grad_stage[stage];
                auto &keys = keys_stage[stage];
                unsigned sum = 0;
                for (int i = 0; i < D; ++i) {
                    state[i] = state[i] / 2 + grad[i];
                    sum += state[i] * keys[i];
                }
                out -= stride;
                *out = sum + keys[lane];
            };

            // Prologue: load the first tile.
            {
                auto &grad = grad_stage[0];
                auto &keys = keys_stage[0];
                gp -= stride;
                kp -= stride;
                grad[lane] = *gp;
                keys[lane] = *kp;
            }
            __syncthreads();

            // Main loop: fetch the next tile while computing on this one.
            int stage = 0;
            while (gp != g + origin) {
                gp -= stride;
                kp -= stride;
                unsigned short grad_next = *gp;
                unsigned short keys_next = *kp;
                compute_tile(stage);
                stage ^= 1;
                {
                    auto &grad = grad_stage[stage];
                    auto &keys = keys_stage[stage];
                    grad[lane] = grad_next;
                    keys[lane] = keys_next;
                }
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            compute_tile(stage);
        }
    }
}

void attend(const float *q, const float *k, const float *v, const float *decay, float *y, int batch, int steps,
            int heads)
{
    decayed_state<16><<<batch * heads, 16>>>(q, k, v, decay, y, steps, heads);
}
