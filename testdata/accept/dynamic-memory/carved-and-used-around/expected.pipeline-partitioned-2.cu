// Carved blocks whose parts are used around the loop, and between its runs.
#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cuda/pipeline>

// The last tile is used behind the loop, by the block's name.
//
// pipelinify: launch last_used
//   sizes n=1,2,3,5
//   block 64
//   smem 4*192
//   x: in [n*64+1]
//   out: out [64]
//   n: n
__global__ __launch_bounds__(128) void last_used(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float sm[];
    // 2 stages, of which 1 of 256 bytes are behind the block, and 1 byte more: a launch that gives
    // another number is trapped
    unsigned sm_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(sm_given));
    if (sm_given != 768 + 1 * 256 + 1)
        __trap();
    struct sm_stages {
        float *first;
        __device__ float (&operator[](int stage) const)[] {
            return *reinterpret_cast<float (*)[]>(reinterpret_cast<char *>(first) +
                                                  (stage ? 512 + stage * 256 : 0));
        }
    };
    const sm_stages sm_stage = {sm};
    float *s = sm + 64, *u = s + 64;
    float acc = 0;
    if (threadIdx.z == 0)
        s[threadIdx.x] = 1;
    if (threadIdx.z == 0)
        u[threadIdx.x] = 2;
    __syncthreads();
    int stage = 0;
    // pipelinify: pipeline-partitioned, 2 stages, source 4b0a4896
    // The kernel is trapped where its launch has no second layer of threads.
    if (blockDim.z != 2 || blockDim.x * blockDim.y % 32)
        __trap();
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state,
                                    blockDim.x * blockDim.y);
    int k = 0;
    // Threads of the second layer load for those of their x and y, and do nothing else.
    if (threadIdx.z == 1) {
        int load_stage = 0;
        while (k < n) {
            pipe.producer_acquire();
            {
                auto &sm = sm_stage[load_stage];
                float *t = sm;
                cuda::memcpy_async(&t[threadIdx.x], &x[k * 64 + threadIdx.x],
                                   cuda::aligned_size_t<sizeof(float)>(sizeof(float)), pipe);
            }
            pipe.producer_commit();
            load_stage ^= 1;
            k++;
        }
        return;
    }

    // Main loop: the others compute.
    for (; k < n; k++) {
        pipe.consumer_wait();
        auto &sm = sm_stage[stage];
        float *t = sm;
        for (int i = 0; i < 64; i++)
            acc += t[i] * s[63 - i];
        u[threadIdx.x] = acc;
        asm volatile("barrier.sync 1, %0;" : : "r"(blockDim.x * blockDim.y) : "memory");
        s[threadIdx.x] = u[63 - threadIdx.x] * 0.25f;
        asm volatile("barrier.sync 1, %0;" : : "r"(blockDim.x * blockDim.y) : "memory");
        pipe.consumer_release();
        stage ^= 1;
    }
    // Back to the stage of the last tile.
    stage = stage == 0 ? 1 : stage - 1;
    __syncthreads();
    out[threadIdx.x] = acc + sm_stage[stage][63 - threadIdx.x] + u[threadIdx.x];
}

// Two loops over one tile, with one scratch.
//
// pipelinify: launch two_loops
//   sizes n=0,1,2,3,5
//   block 64
//   smem 4*128
//   x: in [n*64+1]
//   out: out [64]
//   n: n
__global__ void two_loops(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float sm[];
    float *t = sm;
    float *s = sm + 64;
    float acc = 0;
    s[threadIdx.x] = 0;
    for (int k = 0; k < n; k++) {
        t[threadIdx.x] = x[k * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; i++)
            acc = fmaxf(acc, t[i] * (i ^ threadIdx.x));
        s[threadIdx.x] += acc;
        __syncthreads();
    }
    __syncthreads();
    float b = s[63 - threadIdx.x];
    for (int k = n - 1; k >= 0; k--) {
        t[threadIdx.x] = x[k * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; i++) b += t[i] * (i ^ threadIdx.x);
        __syncthreads();
        s[threadIdx.x] = b;
        __syncthreads();
        b += s[threadIdx.x ^ 1];
        __syncthreads();
    }
    out[threadIdx.x] = b + acc;
}

// An outer loop, scratch is set in between; the tile is in the middle.
//
// pipelinify: launch outer
//   sizes n=0,1,2,3 m=1,2,3
//   block 64
//   smem 4*320
//   x: in [n*m*64+1]
//   out: out [64 * m]
//   n: n
//   m: m
__global__ void outer(const float *__restrict__ x, float *__restrict__ out, int n, int m)
{
    extern __shared__ float sm[];
    float *s = sm, *t = s + 128, *v = t + 64;
    for (int r = 0; r < m; r++) {
        for (int i = threadIdx.x; i < 128; i += 64) { s[i] = r; v[i] = 1; }
        __syncthreads();
        float acc = 0;
        for (int k = 0; k < n; k++) {
            t[threadIdx.x] = x[(r * n + k) * 64 + threadIdx.x];
            __syncthreads();
            for (int i = 0; i < 64; i++)
            acc += t[i] * s[i + threadIdx.x] * v[127 - i];
            __syncthreads();
            if (threadIdx.x < 32) s[2 * threadIdx.x + 1] = acc * 0.01f;
            atomicExch(v + threadIdx.x + 64, 0.5f);
            __syncthreads();
        }
        out[r * 64 + threadIdx.x] = acc;
        __syncthreads();
    }
}

// Elements of several types.
//
// pipelinify: launch typed
//   sizes n=0,1,2,3,5
//   block 96
//   smem 96 * 8 + 96 * 2 + 96
//   x: in [n*96+1]
//   out: out [96]
//   n: n
__global__ __launch_bounds__(192) void typed(const double *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ __align__(16) unsigned char raw[];
    // 2 stages, of which 1 of 768 bytes are behind the block, and 1 byte more: a launch that gives
    // another number is trapped
    unsigned raw_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(raw_given));
    if (raw_given != 1152 + 1 * 768 + 1)
        __trap();
    struct raw_stages {
        unsigned char *first;
        __device__ unsigned char (&operator[](int stage) const)[] {
            return *reinterpret_cast<unsigned char (*)[]>(reinterpret_cast<char *>(first) +
                                                          (stage ? 384 + stage * 768 : 0));
        }
    };
    const raw_stages raw_stage = {raw};
    short *h = (short *)(((double *)raw) + blockDim.x);
    char *c = (char *)(h + blockDim.x);
    float acc = 0;
    if (threadIdx.z == 0)
        h[threadIdx.x] = 0;
    if (threadIdx.z == 0)
        c[threadIdx.x] = 1;
    // pipelinify: pipeline-partitioned, 2 stages, source 91aa094a
    // The kernel is trapped where its launch has no second layer of threads.
    if (blockDim.z != 2 || blockDim.x * blockDim.y % 32)
        __trap();
    #pragma nv_diagnostic push
    #pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> pipe_state;
    #pragma nv_diagnostic pop
    auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &pipe_state,
                                    blockDim.x * blockDim.y);
    int k = 0;
    // Threads of the second layer load for those of their x and y, and do nothing else.
    if (threadIdx.z == 1) {
        int load_stage = 0;
        while (k < n) {
            pipe.producer_acquire();
            {
                auto &raw = raw_stage[load_stage];
                double *t = (double *)raw;
                cuda::memcpy_async(&t[threadIdx.x], &x[k * 96 + threadIdx.x],
                                   cuda::aligned_size_t<sizeof(double)>(sizeof(double)), pipe);
            }
            pipe.producer_commit();
            load_stage ^= 1;
            k++;
        }
        return;
    }

    int stage = 0;
    // Main loop: the others compute.
    for (; k < n; k++) {
        pipe.consumer_wait();
        auto &raw = raw_stage[stage];
        double *t = (double *)raw;
        for (int i = 0; i < 96; i++)
            acc += (float)t[i] * (i ^ threadIdx.x);
        h[threadIdx.x] += (short)acc;
        c[95 - threadIdx.x] = (char)(acc > 0);
        asm volatile("barrier.sync 1, %0;" : : "r"(blockDim.x * blockDim.y) : "memory");
        acc += c[threadIdx.x] + h[threadIdx.x];
        asm volatile("barrier.sync 1, %0;" : : "r"(blockDim.x * blockDim.y) : "memory");
        pipe.consumer_release();
        stage ^= 1;
    }
    out[threadIdx.x] = acc;
}

void run(const float *x, const double *d, float *out, int n, int m)
{
    last_used<<<1, dim3(64, 1, 2), 4 * 192 + 256 + 1>>>(x, out, n);
    two_loops<<<1, 64, 512>>>(x, out, n);
    outer<<<1, 64, 4 * 320>>>(x, out, n, m);
    typed<<<1, dim3(96, 1, 2), 96 * 11 + 865>>>(d, out, n);
}
