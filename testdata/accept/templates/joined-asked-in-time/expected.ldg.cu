// Numbers that are asked in front of the loop are asked of what the addresses were made
// of, not of what the same names mean later.

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
    __shared__ short s_stage[2][512];
    int tx = threadIdx.x, sum = 0;
    int off = ld;
    move_on(&off);
    // pipelinify: ldg, 2 stages, source 7a8710da
    int t = 0, stage = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += 64) {
            s_stage[0][i] = a[t * 512 + off + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (tx < 64 ? tx : 63) + slot * 64;
                s_next[slot] = a[t * 512 + off + i];
            }
            sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (tx < 64 ? tx : 63) + slot * 64;
                s_stage[stage][i] = s_next[slot];
            }
            __syncthreads();
        }
        sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
    }
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
    __shared__ short s_stage[2][512];
    int tx = threadIdx.x, sum = 0;
    if (tx == 0)
        offset = ld;
    __syncthreads();
    int off = offset;
    __syncthreads();
    if (tx == 0)
        offset = 8;
    __syncthreads();
    // pipelinify: ldg, 2 stages, source 7a8710da
    int t = 0, stage = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += 64) {
            s_stage[0][i] = a[t * 512 + off + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (tx < 64 ? tx : 63) + slot * 64;
                s_next[slot] = a[t * 512 + off + i];
            }
            sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = (tx < 64 ? tx : 63) + slot * 64;
                s_stage[stage][i] = s_next[slot];
            }
            __syncthreads();
        }
        sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
    }
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
