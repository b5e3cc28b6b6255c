// One thread copies for its neighbours only what they would copy themselves: what the
// threads of a block have each for themselves is no part of an address, nor of a bound.

// pipelinify: launch bound_of_each_thread
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void bound_of_each_thread(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.x, sum = 0;
    int lim = 8 * tx;
    // pipelinify: ldg-single, 1 stage, source 956b7163
    int t = 0;
    if (t < n) {
        for (int i = tx; i < lim; i += 64) {
            s[i] = a[t * 512 + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < lim) {
                    s_next[slot] = a[t * 512 + i];
                }
            }
            sum += s[(tx + 7) % 63 + 1];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < lim) {
                    s[i] = s_next[slot];
                }
            }
            __syncthreads();
        }
        sum += s[(tx + 7) % 63 + 1];
    }
    c[tx] = sum;
}

// pipelinify: launch bound_of_each_row
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 16, 4
//   a: in [n * 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void bound_of_each_row(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.y * blockDim.x + threadIdx.x, sum = 0;
    // pipelinify: ldg-single, 1 stage, source 66e500a3
    int t = 0;
    if (t < n) {
        for (int i = tx; i < 128 * (threadIdx.y + 1); i += 64) {
            s[i] = a[t * 512 + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 128 * (threadIdx.y + 1)) {
                    s_next[slot] = a[t * 512 + i];
                }
            }
            sum += s[tx ^ 1] + (threadIdx.y == 3 ? s[448 + (tx ^ 1)] : 0);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 128 * (threadIdx.y + 1)) {
                    s[i] = s_next[slot];
                }
            }
            __syncthreads();
        }
        sum += s[tx ^ 1] + (threadIdx.y == 3 ? s[448 + (tx ^ 1)] : 0);
    }
    c[tx] = sum;
}

// pipelinify: launch grows_by_two
//   sizes n=0,1,2,3,4,5,8 ld=8,24,40,27,104
//   grid  1
//   block 64
//   a: in [n * 512 + ld]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void grows_by_two(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.x, sum = 0;
    unsigned m = ld;
    // pipelinify: ldg-single, 1 stage, source 8b70eabf
    int t = 0;
    if (t < n) {
        for (unsigned i = tx; i < 512; i += 64) {
            s[i] = m > 2 * i ? a[t * 512 + m + i] : 0;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                unsigned int i = (tx < 64 ? tx : 63) + slot * 64;
                s_next[slot] = 0;
                if (m > 2 * i)
                    s_next[slot] = a[t * 512 + m + i];
            }
            sum += s[(tx + 3) % 64] + s[511 - tx];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                unsigned int i = (tx < 64 ? tx : 63) + slot * 64;
                s[i] = s_next[slot];
            }
            __syncthreads();
        }
        sum += s[(tx + 3) % 64] + s[511 - tx];
    }
    c[tx] = sum;
}

// pipelinify: launch searched_by_each
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 64 * ld + 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void searched_by_each(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.x, sum = 0;
    int off = 0;
    for (int q = 0; q < 8; ++q) {
        if (q == tx % 8)
            break;
        off += 8;
    }
    // pipelinify: ldg-single, 1 stage, source 7a8710da
    int t = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += 64) {
            s[i] = a[t * 512 + off + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s_next[slot] = a[t * 512 + off + i];
                }
            }
            sum += s[(tx + 3) % 64] + s[511 - tx];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s[i] = s_next[slot];
                }
            }
            __syncthreads();
        }
        sum += s[(tx + 3) % 64] + s[511 - tx];
    }
    c[tx] = sum;
}

// pipelinify: launch searched_among_values
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 64 * ld + 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void searched_among_values(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.x, sum = 0;
    int off = 0;
    while (true) {
        if (a[off] > tx % 4)
            break;
        off += 8;
        if (off >= 64)
            break;
    }
    // pipelinify: ldg-single, 1 stage, source 7a8710da
    int t = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += 64) {
            s[i] = a[t * 512 + off + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s_next[slot] = a[t * 512 + off + i];
                }
            }
            sum += s[(tx + 3) % 64] + s[511 - tx];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s[i] = s_next[slot];
                }
            }
            __syncthreads();
        }
        sum += s[(tx + 3) % 64] + s[511 - tx];
    }
    c[tx] = sum;
}

// pipelinify: launch skipped_by_each
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 64 * ld + 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void skipped_by_each(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.x, sum = 0;
    int off = 0;
    for (int q = 0; q < 8; ++q) {
        if (q < tx % 8)
            continue;
        off += 8;
    }
    // pipelinify: ldg-single, 1 stage, source 7a8710da
    int t = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += 64) {
            s[i] = a[t * 512 + off + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s_next[slot] = a[t * 512 + off + i];
                }
            }
            sum += s[(tx + 3) % 64] + s[511 - tx];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s[i] = s_next[slot];
                }
            }
            __syncthreads();
        }
        sum += s[(tx + 3) % 64] + s[511 - tx];
    }
    c[tx] = sum;
}

struct place {
    int at;
    __device__ place() { at = 8 * (threadIdx.x % 8); }
};

// pipelinify: launch object_of_a_thread
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 64 * ld + 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void object_of_a_thread(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.x, sum = 0;
    place own;
    const int off = own.at;
    // pipelinify: ldg-single, 1 stage, source 7a8710da
    int t = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += 64) {
            s[i] = a[t * 512 + off + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s_next[slot] = a[t * 512 + off + i];
                }
            }
            sum += s[(tx + 3) % 64] + s[511 - tx];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s[i] = s_next[slot];
                }
            }
            __syncthreads();
        }
        sum += s[(tx + 3) % 64] + s[511 - tx];
    }
    c[tx] = sum;
}

struct lane {
    int at = threadIdx.x % 8;
};

// pipelinify: launch member_of_a_thread
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 64 * ld + 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void member_of_a_thread(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.x, sum = 0;
    lane own{};
    const int off = 8 * own.at;
    // pipelinify: ldg-single, 1 stage, source 7a8710da
    int t = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += 64) {
            s[i] = a[t * 512 + off + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s_next[slot] = a[t * 512 + off + i];
                }
            }
            sum += s[(tx + 3) % 64] + s[511 - tx];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s[i] = s_next[slot];
                }
            }
            __syncthreads();
        }
        sum += s[(tx + 3) % 64] + s[511 - tx];
    }
    c[tx] = sum;
}

template <class T> struct corner {
    T at;
    __device__ corner(T by) { at = by * (threadIdx.x % 8); }
};

// pipelinify: launch template_of_a_thread
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 64 * ld + 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void template_of_a_thread(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.x, sum = 0;
    corner<int> own(8);
    const int off = own.at;
    // pipelinify: ldg-single, 1 stage, source 7a8710da
    int t = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += 64) {
            s[i] = a[t * 512 + off + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s_next[slot] = a[t * 512 + off + i];
                }
            }
            sum += s[(tx + 3) % 64] + s[511 - tx];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s[i] = s_next[slot];
                }
            }
            __syncthreads();
        }
        sum += s[(tx + 3) % 64] + s[511 - tx];
    }
    c[tx] = sum;
}

__device__ int place_of_thread() {
    lane own{};
    return own.at;
}

// pipelinify: launch object_of_a_helper
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 64 * ld + 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void object_of_a_helper(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.x, sum = 0;
    const int off = 8 * place_of_thread();
    // pipelinify: ldg-single, 1 stage, source 7a8710da
    int t = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += 64) {
            s[i] = a[t * 512 + off + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s_next[slot] = a[t * 512 + off + i];
                }
            }
            sum += s[(tx + 3) % 64] + s[511 - tx];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s[i] = s_next[slot];
                }
            }
            __syncthreads();
        }
        sum += s[(tx + 3) % 64] + s[511 - tx];
    }
    c[tx] = sum;
}

// pipelinify: launch chosen_variable
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 64 * ld + 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void chosen_variable(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.x, sum = 0;
    int first = 0, second = 8;
    (ld > 10 ? first : second) = 8 * (tx % 8);
    const int off = first;
    // pipelinify: ldg-single, 1 stage, source 7a8710da
    int t = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += 64) {
            s[i] = a[t * 512 + off + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s_next[slot] = a[t * 512 + off + i];
                }
            }
            sum += s[(tx + 3) % 64] + s[511 - tx];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s[i] = s_next[slot];
                }
            }
            __syncthreads();
        }
        sum += s[(tx + 3) % 64] + s[511 - tx];
    }
    c[tx] = sum;
}

// pipelinify: launch chosen_cell
//   sizes n=0,1,2,3,4,5,8 ld=8,16,27,13
//   grid  1
//   block 64
//   a: in [n * 512 + 64 * ld + 512]
//   c: out [64]
//   n: n
//   ld: ld
__global__ void chosen_cell(const short *__restrict__ a, int *__restrict__ c, int n, int ld) {
    __shared__ short s[512];
    int tx = threadIdx.x, sum = 0;
    int table[4] = {0, 8, 16, 24};
    table[tx & 3] = 0;
    const int off = table[2];
    // pipelinify: ldg-single, 1 stage, source 7a8710da
    int t = 0;
    if (t < n) {
        for (int i = tx; i < 512; i += 64) {
            s[i] = a[t * 512 + off + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            short s_next[8];
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s_next[slot] = a[t * 512 + off + i];
                }
            }
            sum += s[(tx + 3) % 64] + s[511 - tx];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 8; ++slot) {
                int i = tx + slot * 64;
                if (i < 512) {
                    s[i] = s_next[slot];
                }
            }
            __syncthreads();
        }
        sum += s[(tx + 3) % 64] + s[511 - tx];
    }
    c[tx] = sum;
}
