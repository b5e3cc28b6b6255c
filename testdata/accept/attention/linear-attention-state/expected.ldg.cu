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
    int t = sample * steps * width + head * D + c, last = (sample + 1) * steps * width + head * D + c, t_tile =
        t, stage = 0;
    if (t < last) {
        __syncthreads();
        auto compute_tile = [&]() {
            const float value = v[t_tile];
            float out = 0.f;
#pragma unroll
            for (int i = 0; i < D; ++i) {
                state[i] = state[i] * fade_stage[stage][i] + key_stage[stage][i] * value;
                out += query_stage[stage][i] * state[i];
            }
            y[t_tile] = out;
        };
        key_stage[0][c] = k[t];
        query_stage[0][c] = q[t];
        fade_stage[0][c] = decay[t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t += width; t < last; t += width) {
            float key_next = k[t];
            float query_next = q[t];
            float fade_next = decay[t];
            compute_tile();
            t_tile += width;
            stage ^= 1;
            key_stage[stage][c] = key_next;
            query_stage[stage][c] = query_next;
            fade_stage[stage][c] = fade_next;
            __syncthreads();
        }
        compute_tile();
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
    if (gp != g + origin) {
        int stage = 0;
        auto compute_tile = [&]() {
            unsigned sum = 0;
            for (int i = 0; i < D; ++i) {
                state[i] = state[i] / 2 + grad_stage[stage][i];
                sum += state[i] * keys_stage[stage][i];
            }
            out -= stride;
            *out = sum + keys_stage[stage][lane];
        };
        gp -= stride;
        kp -= stride;
        grad_stage[0][lane] = *gp;
        keys_stage[0][lane] = *kp;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (gp != g + origin) {
            gp -= stride;
            kp -= stride;
            unsigned short grad_next = *gp;
            unsigned short keys_next = *kp;
            compute_tile();
            stage ^= 1;
            grad_stage[stage][lane] = grad_next;
            keys_stage[stage][lane] = keys_next;
            __syncthreads();
        }
        compute_tile();
    }
}

void attend(const float *q, const float *k, const float *v, const float *decay, float *y, int batch, int steps,
            int heads)
{
    decayed_state<16><<<batch * heads, 16>>>(q, k, v, decay, y, steps, heads);
}
