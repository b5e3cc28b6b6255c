// How far a copy loop goes is not what its bound was declared with, where an object, a
// call or a choice of variables has set it since.
#include <cuda/std/utility>

struct raiser {
    int was;
    __device__ raiser(int &count) : was(count) { count += 3; }
};

struct handle {
    int &count;
};

struct counter {
    int was;
};

__device__ int operator>>(counter from, int &count) { return count = from.was; }

template <class... T> __device__ void raise_all(T &...counts) { ((counts += 3), ...); }

struct raise {
    __device__ void operator()(int &count) const { count += 3; }
};

// pipelinify: launch by_constructor
//   sizes n=0,1,2,3,4,5,8
//   grid  1
//   block 64
//   a: in [n * 64]
//   c: out [64]
//   n: n
__global__ void by_constructor(const float *__restrict__ a, float *__restrict__ c, int n) {
    __shared__ float s[64];
    int tx = threadIdx.x, count = 2, other = 5;
    float sum = 0;
    raiser up(count);
    other = up.was;
    // pipelinify: ldg-single, 1 stage, source c273014d
    int t = 0;
    if (t < n) {
        for (int j = 0; j < count; ++j) {
            if (tx < 12)
                s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next[8];
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s_next[j] = a[t * 64 + tx * 5 + j];
                }
            }
            sum += s[tx % 60] * (tx + 1);
            __syncthreads();
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s[tx * 5 + j] = s_next[j];
                }
            }
            // What has not been fetched ahead.
            for (int j = 8; j < count; ++j) {
                if (tx < 12)
                    s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
            }
            __syncthreads();
        }
        sum += s[tx % 60] * (tx + 1);
    }
    c[tx] = sum + other;
}

// pipelinify: launch by_member_reference
//   sizes n=0,1,2,3,4,5,8
//   grid  1
//   block 64
//   a: in [n * 64]
//   c: out [64]
//   n: n
__global__ void by_member_reference(const float *__restrict__ a, float *__restrict__ c, int n) {
    __shared__ float s[64];
    int tx = threadIdx.x, count = 2, other = 5;
    float sum = 0;
    handle of{count};
    of.count += 3;
    // pipelinify: ldg-single, 1 stage, source c273014d
    int t = 0;
    if (t < n) {
        for (int j = 0; j < count; ++j) {
            if (tx < 12)
                s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next[8];
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s_next[j] = a[t * 64 + tx * 5 + j];
                }
            }
            sum += s[tx % 60] * (tx + 1);
            __syncthreads();
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s[tx * 5 + j] = s_next[j];
                }
            }
            // What has not been fetched ahead.
            for (int j = 8; j < count; ++j) {
                if (tx < 12)
                    s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
            }
            __syncthreads();
        }
        sum += s[tx % 60] * (tx + 1);
    }
    c[tx] = sum + other;
}

// pipelinify: launch by_functor<raise>
//   sizes n=0,1,2,3,4,5,8
//   grid  1
//   block 64
//   a: in [n * 64]
//   c: out [64]
//   n: n
template <class Up>
__global__ void by_functor(const float *__restrict__ a, float *__restrict__ c, int n) {
    __shared__ float s[64];
    int tx = threadIdx.x, count = 2, other = 5;
    float sum = 0;
    Up up;
    up(count);
    // pipelinify: ldg-single, 1 stage, source c273014d
    static_assert(__is_same(Up, raise),
                  "pipelined for this Up alone: run pipelinify again for another");
    int t = 0;
    if (t < n) {
        for (int j = 0; j < count; ++j) {
            if (tx < 12)
                s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next[8];
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s_next[j] = a[t * 64 + tx * 5 + j];
                }
            }
            sum += s[tx % 60] * (tx + 1);
            __syncthreads();
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s[tx * 5 + j] = s_next[j];
                }
            }
            // What has not been fetched ahead.
            for (int j = 8; j < count; ++j) {
                if (tx < 12)
                    s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
            }
            __syncthreads();
        }
        sum += s[tx % 60] * (tx + 1);
    }
    c[tx] = sum + other;
}

// pipelinify: launch by_choice
//   sizes n=0,1,2,3,4,5,8
//   grid  1
//   block 64
//   a: in [n * 64]
//   c: out [64]
//   n: n
__global__ void by_choice(const float *__restrict__ a, float *__restrict__ c, int n) {
    __shared__ float s[64];
    int tx = threadIdx.x, count = 2, other = 5;
    float sum = 0;
    (n > 0 ? count : other) = 5;
    // pipelinify: ldg-single, 1 stage, source c273014d
    int t = 0;
    if (t < n) {
        for (int j = 0; j < count; ++j) {
            if (tx < 12)
                s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next[8];
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s_next[j] = a[t * 64 + tx * 5 + j];
                }
            }
            sum += s[tx % 60] * (tx + 1);
            __syncthreads();
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s[tx * 5 + j] = s_next[j];
                }
            }
            // What has not been fetched ahead.
            for (int j = 8; j < count; ++j) {
                if (tx < 12)
                    s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
            }
            __syncthreads();
        }
        sum += s[tx % 60] * (tx + 1);
    }
    c[tx] = sum + other;
}

// pipelinify: launch by_swap
//   sizes n=0,1,2,3,4,5,8
//   grid  1
//   block 64
//   a: in [n * 64]
//   c: out [64]
//   n: n
__global__ void by_swap(const float *__restrict__ a, float *__restrict__ c, int n) {
    __shared__ float s[64];
    int tx = threadIdx.x, count = 2, other = 5;
    float sum = 0;
    cuda::std::swap(count, other);
    // pipelinify: ldg-single, 1 stage, source c273014d
    int t = 0;
    if (t < n) {
        for (int j = 0; j < count; ++j) {
            if (tx < 12)
                s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next[8];
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s_next[j] = a[t * 64 + tx * 5 + j];
                }
            }
            sum += s[tx % 60] * (tx + 1);
            __syncthreads();
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s[tx * 5 + j] = s_next[j];
                }
            }
            // What has not been fetched ahead.
            for (int j = 8; j < count; ++j) {
                if (tx < 12)
                    s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
            }
            __syncthreads();
        }
        sum += s[tx % 60] * (tx + 1);
    }
    c[tx] = sum + other;
}

// pipelinify: launch by_array
//   sizes n=0,1,2,3,4,5,8
//   grid  1
//   block 64
//   a: in [n * 64]
//   c: out [64]
//   n: n
__global__ void by_array(const float *__restrict__ a, float *__restrict__ c, int n) {
    __shared__ float s[64];
    int tx = threadIdx.x, count = 2, other = 5;
    float sum = 0;
    raiser up[1] = {count};
    other = up[0].was;
    // pipelinify: ldg-single, 1 stage, source c273014d
    int t = 0;
    if (t < n) {
        for (int j = 0; j < count; ++j) {
            if (tx < 12)
                s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next[8];
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s_next[j] = a[t * 64 + tx * 5 + j];
                }
            }
            sum += s[tx % 60] * (tx + 1);
            __syncthreads();
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s[tx * 5 + j] = s_next[j];
                }
            }
            // What has not been fetched ahead.
            for (int j = 8; j < count; ++j) {
                if (tx < 12)
                    s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
            }
            __syncthreads();
        }
        sum += s[tx % 60] * (tx + 1);
    }
    c[tx] = sum + other;
}

// pipelinify: launch by_pack
//   sizes n=0,1,2,3,4,5,8
//   grid  1
//   block 64
//   a: in [n * 64]
//   c: out [64]
//   n: n
__global__ void by_pack(const float *__restrict__ a, float *__restrict__ c, int n) {
    __shared__ float s[64];
    int tx = threadIdx.x, count = 2, other = 5;
    float sum = 0;
    raise_all(count, other);
    // pipelinify: ldg-single, 1 stage, source c273014d
    int t = 0;
    if (t < n) {
        for (int j = 0; j < count; ++j) {
            if (tx < 12)
                s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next[8];
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s_next[j] = a[t * 64 + tx * 5 + j];
                }
            }
            sum += s[tx % 60] * (tx + 1);
            __syncthreads();
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s[tx * 5 + j] = s_next[j];
                }
            }
            // What has not been fetched ahead.
            for (int j = 8; j < count; ++j) {
                if (tx < 12)
                    s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
            }
            __syncthreads();
        }
        sum += s[tx % 60] * (tx + 1);
    }
    c[tx] = sum + other;
}

// pipelinify: launch by_capture
//   sizes n=0,1,2,3,4,5,8
//   grid  1
//   block 64
//   a: in [n * 64]
//   c: out [64]
//   n: n
__global__ void by_capture(const float *__restrict__ a, float *__restrict__ c, int n) {
    __shared__ float s[64];
    int tx = threadIdx.x, count = 2, other = 5;
    float sum = 0;
    auto up = [&held = count] { held += 3; };
    up();
    // pipelinify: ldg-single, 1 stage, source c273014d
    int t = 0;
    if (t < n) {
        for (int j = 0; j < count; ++j) {
            if (tx < 12)
                s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next[8];
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s_next[j] = a[t * 64 + tx * 5 + j];
                }
            }
            sum += s[tx % 60] * (tx + 1);
            __syncthreads();
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s[tx * 5 + j] = s_next[j];
                }
            }
            // What has not been fetched ahead.
            for (int j = 8; j < count; ++j) {
                if (tx < 12)
                    s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
            }
            __syncthreads();
        }
        sum += s[tx % 60] * (tx + 1);
        __syncthreads();
    }
    c[tx] = sum + other;
}

// pipelinify: launch by_operator
//   sizes n=0,1,2,3,4,5,8
//   grid  1
//   block 64
//   a: in [n * 64]
//   c: out [64]
//   n: n
__global__ void by_operator(const float *__restrict__ a, float *__restrict__ c, int n) {
    __shared__ float s[64];
    int tx = threadIdx.x, count = 2, other = 5;
    float sum = 0;
    other += counter{5} >> count;
    // pipelinify: ldg-single, 1 stage, source c273014d
    int t = 0;
    if (t < n) {
        for (int j = 0; j < count; ++j) {
            if (tx < 12)
                s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next[8];
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s_next[j] = a[t * 64 + tx * 5 + j];
                }
            }
            sum += s[tx % 60] * (tx + 1);
            __syncthreads();
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s[tx * 5 + j] = s_next[j];
                }
            }
            // What has not been fetched ahead.
            for (int j = 8; j < count; ++j) {
                if (tx < 12)
                    s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
            }
            __syncthreads();
        }
        sum += s[tx % 60] * (tx + 1);
    }
    c[tx] = sum + other;
}

// pipelinify: launch by_pair
//   sizes n=0,1,2,3,4,5,8
//   grid  1
//   block 64
//   a: in [n * 64]
//   c: out [64]
//   n: n
__global__ void by_pair(const float *__restrict__ a, float *__restrict__ c, int n) {
    __shared__ float s[64];
    int tx = threadIdx.x, count = 2, other = 5;
    float sum = 0;
    cuda::std::pair<int &, int &> both(count, other);
    both.first = 5;
    // pipelinify: ldg-single, 1 stage, source c273014d
    int t = 0;
    if (t < n) {
        for (int j = 0; j < count; ++j) {
            if (tx < 12)
                s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float s_next[8];
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s_next[j] = a[t * 64 + tx * 5 + j];
                }
            }
            sum += s[tx % 60] * (tx + 1);
            __syncthreads();
            #pragma unroll
            for (int j = 0; j < 8; ++j) {
                if (j < count) {
                    if (tx < 12)
                        s[tx * 5 + j] = s_next[j];
                }
            }
            // What has not been fetched ahead.
            for (int j = 8; j < count; ++j) {
                if (tx < 12)
                    s[tx * 5 + j] = a[t * 64 + tx * 5 + j];
            }
            __syncthreads();
        }
        sum += s[tx % 60] * (tx + 1);
    }
    c[tx] = sum + other;
}

void start(const float *a, float *c, int n) { by_functor<raise><<<1, 64>>>(a, c, n); }
