// What is asked in front of the loop is what the copies' addresses were made of.

#include <cuda_pipeline.h>

// pipelinify: launch pointer_before_it_moved
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 8]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void pointer_before_it_moved(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    constexpr int stages = 3;
    __shared__ __align__(16) short s_stage[stages][512];
    int tx = threadIdx.x, sum = 0;
    const short *p = a + 8;
    a += 3;
    // pipelinify: cp.async, 3 stages, source 0e5fd214
    // Whether 8 neighbouring elements can be one copy: all is aligned.
    const bool joined = (size_t)p % 16 == 0;
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            if (joined) {
                for (int i = 8 * tx; i < 512; i += 8 * blockDim.x) {
                    __pipeline_memcpy_async(&s_stage[load_stage][i], &p[t_load * 512 + i], 16);
                }
            } else {
                for (int i = tx; i < 512; i += blockDim.x) {
                    s_stage[load_stage][i] = p[t_load * 512 + i];
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

// pipelinify: launch number_before_it_changed
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + ld]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void number_before_it_changed(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    constexpr int stages = 3;
    __shared__ __align__(16) short s_stage[stages][512];
    int tx = threadIdx.x, sum = 0;
    int off = ld;
    ld += 3;
    // pipelinify: cp.async, 3 stages, source a59bb229
    // Whether 8 neighbouring elements can be one copy: all is aligned.
    const bool joined = (size_t)a % 16 == 0 && off % 8 == 0;
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            if (joined) {
                for (int i = 8 * tx; i < 512; i += 8 * blockDim.x) {
                    __pipeline_memcpy_async(&s_stage[load_stage][i], &a[t_load * 512 + off + i], 16);
                }
            } else {
                for (int i = tx; i < 512; i += blockDim.x) {
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

// pipelinify: launch fraction
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 8]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void fraction(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    constexpr int stages = 3;
    __shared__ __align__(16) short s_stage[stages][512];
    int tx = threadIdx.x, sum = 0;
    int off = ld * 0.3f;
    // pipelinify: cp.async, 3 stages, source a59bb229
    // Whether 8 neighbouring elements can be one copy: all is aligned.
    const bool joined = (size_t)a % 16 == 0 && off % 8 == 0;
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            if (joined) {
                for (int i = 8 * tx; i < 512; i += 8 * blockDim.x) {
                    __pipeline_memcpy_async(&s_stage[load_stage][i], &a[t_load * 512 + off + i], 16);
                }
            } else {
                for (int i = tx; i < 512; i += blockDim.x) {
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

// pipelinify: launch wraps_below
//   sizes n=0,1,2,3,4,5,8 ld=8,16,20,13
//   grid  1
//   block 64
//   a: in [n * 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void wraps_below(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    constexpr int stages = 3;
    __shared__ __align__(16) short s_stage[stages][512];
    int tx = threadIdx.x, sum = 0;
    // pipelinify: cp.async, 3 stages, source e8936e3a
    // Whether 8 neighbouring elements can be one copy: all is aligned.
    const bool joined = (size_t)a % 16 == 0;
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            if (joined) {
                for (int i = 8 * tx; i < 512; i += 8 * blockDim.x) {
                    if ((unsigned)(i % 32 - 3) < (unsigned)ld && (unsigned)ld - (unsigned)(i % 32 - 3) > 7) {
                        __pipeline_memcpy_async(&s_stage[load_stage][i], &a[t_load * 512 + i], 16);
                    } else {
                        for (int each = 0; each < 8; ++each) {
                            if ((unsigned)(i % 32 - 3) + each < (unsigned)ld)
                                (&s_stage[load_stage][i])[each] = (&a[t_load * 512 + i])[each];
                            else
                                (&s_stage[load_stage][i])[each] = 0;
                        }
                    }
                }
            } else {
                for (int i = tx; i < 512; i += blockDim.x) {
                    s_stage[load_stage][i] = (unsigned)(i % 32 - 3) < (unsigned)ld ? a[t_load * 512 + i] : 0;
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

// pipelinify: launch wraps_in_between
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void wraps_in_between(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.x, sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = tx; i < 512; i += blockDim.x) {
            s[i] = (unsigned)(i % 32 - 3) < 2u ? 0 : a[t * 512 + i];
        }
        __syncthreads();
        sum += s[(tx + 3) % 64] + s[511 - tx];
        __syncthreads();
    }
    c[tx] = sum;
}
