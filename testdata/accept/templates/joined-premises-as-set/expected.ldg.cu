// What is asked in front of the loop is what the copies' addresses were made of.

// pipelinify: launch pointer_before_it_moved
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 8]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void pointer_before_it_moved(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s_stage[2][512];
    int tx = threadIdx.x, sum = 0;
    const short *p = a + 8;
    a += 3;
    // pipelinify: ldg, 2 stages, source 0e5fd214
    int t = 0, stage = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += blockDim.x) {
            s_stage[0][i] = p[t * 512 + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * blockDim.x;
                if (i < 512) {
                    s_next[slot] = p[t * 512 + i];
                }
            }
            sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * blockDim.x;
                if (i < 512) {
                    s_stage[stage][i] = s_next[slot];
                }
            }
            // What has not been fetched ahead.
            for (int i = tx + 8 * blockDim.x; i < 512; i += blockDim.x) {
                s_stage[stage][i] = p[t * 512 + i];
            }
            __syncthreads();
        }
        sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
    }
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
    __shared__ short s_stage[2][512];
    int tx = threadIdx.x, sum = 0;
    int off = ld;
    ld += 3;
    // pipelinify: ldg, 2 stages, source a59bb229
    int t = 0, stage = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += blockDim.x) {
            s_stage[0][i] = a[t * 512 + off + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * blockDim.x;
                if (i < 512) {
                    s_next[slot] = a[t * 512 + off + i];
                }
            }
            sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * blockDim.x;
                if (i < 512) {
                    s_stage[stage][i] = s_next[slot];
                }
            }
            // What has not been fetched ahead.
            for (int i = tx + 8 * blockDim.x; i < 512; i += blockDim.x) {
                s_stage[stage][i] = a[t * 512 + off + i];
            }
            __syncthreads();
        }
        sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
    }
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
    __shared__ short s_stage[2][512];
    int tx = threadIdx.x, sum = 0;
    int off = ld * 0.3f;
    // pipelinify: ldg, 2 stages, source a59bb229
    int t = 0, stage = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += blockDim.x) {
            s_stage[0][i] = a[t * 512 + off + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * blockDim.x;
                if (i < 512) {
                    s_next[slot] = a[t * 512 + off + i];
                }
            }
            sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * blockDim.x;
                if (i < 512) {
                    s_stage[stage][i] = s_next[slot];
                }
            }
            // What has not been fetched ahead.
            for (int i = tx + 8 * blockDim.x; i < 512; i += blockDim.x) {
                s_stage[stage][i] = a[t * 512 + off + i];
            }
            __syncthreads();
        }
        sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
    }
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
    __shared__ short s_stage[2][512];
    int tx = threadIdx.x, sum = 0;
    // pipelinify: ldg, 2 stages, source e8936e3a
    int t = 0, stage = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += blockDim.x) {
            s_stage[0][i] = (unsigned)(i % 32 - 3) < (unsigned)ld ? a[t * 512 + i] : 0;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * blockDim.x;
                if (i < 512) {
                    s_next[slot] = 0;
                    if ((unsigned)(i % 32 - 3) < (unsigned)ld)
                        s_next[slot] = a[t * 512 + i];
                }
            }
            sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * blockDim.x;
                if (i < 512) {
                    s_stage[stage][i] = s_next[slot];
                }
            }
            // What has not been fetched ahead.
            for (int i = tx + 8 * blockDim.x; i < 512; i += blockDim.x) {
                s_stage[stage][i] = (unsigned)(i % 32 - 3) < (unsigned)ld ? a[t * 512 + i] : 0;
            }
            __syncthreads();
        }
        sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
    }
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
    __shared__ short s_stage[2][512];
    int tx = threadIdx.x, sum = 0;
    // pipelinify: ldg, 2 stages, source 229c566b
    int t = 0, stage = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += blockDim.x) {
            s_stage[0][i] = (unsigned)(i % 32 - 3) < 2u ? 0 : a[t * 512 + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * blockDim.x;
                if (i < 512) {
                    s_next[slot] = 0;
                    if (!((unsigned)(i % 32 - 3) < 2u))
                        s_next[slot] = a[t * 512 + i];
                }
            }
            sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * blockDim.x;
                if (i < 512) {
                    s_stage[stage][i] = s_next[slot];
                }
            }
            // What has not been fetched ahead.
            for (int i = tx + 8 * blockDim.x; i < 512; i += blockDim.x) {
                s_stage[stage][i] = (unsigned)(i % 32 - 3) < 2u ? 0 : a[t * 512 + i];
            }
            __syncthreads();
        }
        sum += s_stage[stage][(tx + 3) % 64] + s_stage[stage][511 - tx];
    }
    c[tx] = sum;
}
