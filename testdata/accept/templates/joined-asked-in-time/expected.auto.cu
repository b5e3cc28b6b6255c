// Numbers that are asked in front of the loop are asked of what the addresses were made
// of, not of what the same names mean later.

#include <cuda_pipeline.h>

__device__ void move_on(int *at) { *at += 4; }

// pipelinify: launch moved_on_by_call
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,12,13
//   grid  1
//   block 64
//   a: in [n * 512 + 64 * ld + 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void moved_on_by_call(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    constexpr int stages = 8;
    __shared__ __align__(16) short s_stage[stages][512];
    int tx = threadIdx.x, sum = 0;
    int off = ld;
    move_on(&off);
    // pipelinify: cp.async, 8 stages, source 7a8710da
    // Whether 8 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 64 && (size_t)a % 16 == 0 && off % 8 == 0;
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            if (joined) {
                for (int i = 8 * tx; i < 512; i += 8 * 64) {
                    __pipeline_memcpy_async(&s_stage[load_stage][i], &a[t_load * 512 + off + i], 16);
                }
            } else {
                for (int i = tx; i < 512; i += 64) {
                    s_stage[load_stage][i] = a[t_load * 512 + off + i];
                }
            }
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    c[tx] = sum;
}

// pipelinify: launch began_with_another
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 64 * ld + 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void began_with_another(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s_stage[2][512];
    int tx = threadIdx.x, sum = 0;
    int off = ld;
    ld = 8;
    // pipelinify: ldg, 2 stages, source 7a5e49d1
    int t = 0, stage = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += 64) {
            s_stage[0][i] = a[off + i];
        }
        off += 8;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (tx < 64 ? tx : 63) + slot * 64;
                s_next[slot] = a[off + i];
            }
            sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (tx < 64 ? tx : 63) + slot * 64;
                s_stage[stage][i] = s_next[slot];
            }
            off += 8;
            __syncthreads();
        }
        sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
    }
    c[tx] = sum;
}

// pipelinify: launch moved_by_another
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 64 * ld + 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void moved_by_another(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s_stage[2][512];
    int tx = threadIdx.x, sum = 0;
    int off = 0, step = ld;
    off += step;
    step = 8;
    // pipelinify: ldg, 2 stages, source 8e086d81
    int t = 0, stage = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += 64) {
            s_stage[0][i] = a[off + i];
        }
        off += step;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (tx < 64 ? tx : 63) + slot * 64;
                s_next[slot] = a[off + i];
            }
            sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (tx < 64 ? tx : 63) + slot * 64;
                s_stage[stage][i] = s_next[slot];
            }
            off += step;
            __syncthreads();
        }
        sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
    }
    c[tx] = sum;
}

// pipelinify: launch moved_in_between
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 64 * ld + 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void moved_in_between(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s_stage[2][512];
    int tx = threadIdx.x, sum = 0;
    int off = 64, step = ld;
    if (n > 2)
        off -= step;
    step = 16;
    // pipelinify: ldg, 2 stages, source 8e086d81
    int t = 0, stage = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += 64) {
            s_stage[0][i] = a[off + i];
        }
        off += step;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (tx < 64 ? tx : 63) + slot * 64;
                s_next[slot] = a[off + i];
            }
            sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (tx < 64 ? tx : 63) + slot * 64;
                s_stage[stage][i] = s_next[slot];
            }
            off += step;
            __syncthreads();
        }
        sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
    }
    c[tx] = sum;
}

__device__ int offset;

// pipelinify: launch global_set_since
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 64 * ld + 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void global_set_since(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    constexpr int stages = 8;
    __shared__ __align__(16) short s_stage[stages][512];
    int tx = threadIdx.x, sum = 0;
    if (tx == 0)
        offset = ld;
    __syncthreads();
    int off = offset;
    __syncthreads();
    if (tx == 0)
        offset = 8;
    __syncthreads();
    // pipelinify: cp.async, 8 stages, source 7a8710da
    // Whether 8 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 64 && (size_t)a % 16 == 0 && off % 8 == 0;
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            if (joined) {
                for (int i = 8 * tx; i < 512; i += 8 * 64) {
                    __pipeline_memcpy_async(&s_stage[load_stage][i], &a[t_load * 512 + off + i], 16);
                }
            } else {
                for (int i = tx; i < 512; i += 64) {
                    s_stage[load_stage][i] = a[t_load * 512 + off + i];
                }
            }
            ++t_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    c[tx] = sum;
}

// pipelinify: launch chosen_since
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 64 * ld + 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void chosen_since(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s_stage[2][512];
    int tx = threadIdx.x, sum = 0;
    int off = 0, other = 0, step = ld;
    off += step;
    (n > 1 ? step : other) = 8;
    // pipelinify: ldg, 2 stages, source 7a5e49d1
    int t = 0, stage = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += 64) {
            s_stage[0][i] = a[off + i];
        }
        off += 8;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (tx < 64 ? tx : 63) + slot * 64;
                s_next[slot] = a[off + i];
            }
            sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (tx < 64 ? tx : 63) + slot * 64;
                s_stage[stage][i] = s_next[slot];
            }
            off += 8;
            __syncthreads();
        }
        sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
    }
    c[tx] = sum;
}
