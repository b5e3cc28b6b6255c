// Carved blocks whose parts are used around the loop, and between its runs.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// The last tile is used behind the loop, by the block's name.
//
// pipelinify: launch last_used
//   sizes n=1,2,3,5
//   block 64
//   smem 4*192
//   x: in [n*64+1]
//   out: out [64]
//   n: n
__global__ void last_used(const float *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ float sm[];
    // 4 stages, of which 3 of 256 bytes are behind the block, and 1 byte more: a launch that gives
    // another number is trapped
    unsigned sm_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(sm_given));
    if (sm_given != 768 + 3 * 256 + 1)
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
    s[threadIdx.x] = 1; u[threadIdx.x] = 2;
    __syncthreads();
    int stage = 0;
    // pipelinify: cp.async, 4 stages, source 4b0a4896
    int k_load = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            auto &sm = sm_stage[load_stage];
            float *t = sm;
            __pipeline_memcpy_async(&t[threadIdx.x], &x[k_load * 64 + threadIdx.x], sizeof(float));
            k_load++;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < 3; ++load_stage)
        copy_tile(load_stage);
    // Main loop: 3 tiles are in flight while computing on one.
    for (int k = 0; k < n; k++) {
        __pipeline_wait_prior(2);
        __syncthreads();
        copy_tile(stage == 0 ? 3 : stage - 1);
        auto &sm = sm_stage[stage];
        float *t = sm;
        for (int i = 0; i < 64; i++)
            acc += t[i] * s[63 - i];
        u[threadIdx.x] = acc;
        __syncthreads();
        s[threadIdx.x] = u[63 - threadIdx.x] * 0.25f;
        stage = stage == 3 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    // Back to the stage of the last tile.
    stage = stage == 0 ? 3 : stage - 1;
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
    // pipelinify: ldg-single, 1 stage, source d05521ae
    {
        int k = 0;
        if (k < n) {
            t[threadIdx.x] = x[k * 64 + threadIdx.x];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k++; k < n; k++) {
                float t_next = x[k * 64 + threadIdx.x];
                for (int i = 0; i < 64; i++)
                    acc = fmaxf(acc, t[i] * (i ^ threadIdx.x));
                s[threadIdx.x] += acc;
                __syncthreads();
                t[threadIdx.x] = t_next;
                __syncthreads();
            }
            for (int i = 0; i < 64; i++)
                acc = fmaxf(acc, t[i] * (i ^ threadIdx.x));
            s[threadIdx.x] += acc;
            __syncthreads();
        }
    }
    __syncthreads();
    float b = s[63 - threadIdx.x];
    // pipelinify: ldg-single, 1 stage, source e47b5875
    {
        int k = n - 1;
        if (k >= 0) {
            auto compute_tile = [&]() {
                for (int i = 0; i < 64; i++) b += t[i] * (i ^ threadIdx.x);
                __syncthreads();
                s[threadIdx.x] = b;
                __syncthreads();
                b += s[threadIdx.x ^ 1];
            };
            t[threadIdx.x] = x[k * 64 + threadIdx.x];
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (k--; k >= 0; k--) {
                float t_next = x[k * 64 + threadIdx.x];
                compute_tile();
                __syncthreads();
                t[threadIdx.x] = t_next;
                __syncthreads();
            }
            compute_tile();
            __syncthreads();
        }
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
    // 4 stages, of which 3 of 256 bytes are behind the block, and 1 byte more: a launch that gives
    // another number is trapped
    unsigned sm_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(sm_given));
    if (sm_given != 1280 + 3 * 256 + 1)
        __trap();
    struct sm_stages {
        float *first;
        __device__ float (&operator[](int stage) const)[] {
            return *reinterpret_cast<float (*)[]>(reinterpret_cast<char *>(first) +
                                                  (stage ? 512 + stage * 256 : 0));
        }
    };
    const sm_stages sm_stage = {sm};
    float *s = sm;
    float *v = (s + 128) + 64;
    for (int r = 0; r < m; r++) {
        for (int i = threadIdx.x; i < 128; i += 64) { s[i] = r; v[i] = 1; }
        __syncthreads();
        float acc = 0;
        // pipelinify: cp.async, 4 stages, source b3f63be7
        int k_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (k_load < n) {
                auto &sm = sm_stage[load_stage];
                float *t = sm + 128;
                __pipeline_memcpy_async(&t[threadIdx.x], &x[(r * n + k_load) * 64 + threadIdx.x],
                                        sizeof(float));
                k_load++;
            }
            __pipeline_commit();
        };
        for (int load_stage = 0; load_stage < 3; ++load_stage)
            copy_tile(load_stage);
        // Main loop: 3 tiles are in flight while computing on one.
        for (int k = 0; k < n; k++) {
            __pipeline_wait_prior(2);
            __syncthreads();
            copy_tile(stage == 0 ? 3 : stage - 1);
            auto &sm = sm_stage[stage];
            float *t = sm + 128;
            for (int i = 0; i < 64; i++)
            acc += t[i] * s[i + threadIdx.x] * v[127 - i];
            __syncthreads();
            if (threadIdx.x < 32) s[2 * threadIdx.x + 1] = acc * 0.01f;
            atomicExch(v + threadIdx.x + 64, 0.5f);
            stage = stage == 3 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);
        __syncthreads();
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
__global__ void typed(const double *__restrict__ x, float *__restrict__ out, int n)
{
    extern __shared__ __align__(16) unsigned char raw[];
    // 4 stages, of which 3 of 768 bytes are behind the block, and 1 byte more: a launch that gives
    // another number is trapped
    unsigned raw_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(raw_given));
    if (raw_given != 1152 + 3 * 768 + 1)
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
    h[threadIdx.x] = 0; c[threadIdx.x] = 1;
    // pipelinify: cp.async, 4 stages, source 91aa094a
    int k_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k_load < n) {
            auto &raw = raw_stage[load_stage];
            double *t = (double *)raw;
            __pipeline_memcpy_async(&t[threadIdx.x], &x[k_load * 96 + threadIdx.x], sizeof(double));
            k_load++;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < 3; ++load_stage)
        copy_tile(load_stage);
    // Main loop: 3 tiles are in flight while computing on one.
    for (int k = 0; k < n; k++) {
        __pipeline_wait_prior(2);
        __syncthreads();
        copy_tile(stage == 0 ? 3 : stage - 1);
        auto &raw = raw_stage[stage];
        double *t = (double *)raw;
        for (int i = 0; i < 96; i++)
            acc += (float)t[i] * (i ^ threadIdx.x);
        h[threadIdx.x] += (short)acc;
        c[95 - threadIdx.x] = (char)(acc > 0);
        __syncthreads();
        acc += c[threadIdx.x] + h[threadIdx.x];
        stage = stage == 3 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[threadIdx.x] = acc;
}

void run(const float *x, const double *d, float *out, int n, int m)
{
    last_used<<<1, 64, 4 * 192 + 3 * 256 + 1>>>(x, out, n);
    two_loops<<<1, 64, 512>>>(x, out, n);
    outer<<<1, 64, 4 * 320 + 3 * 256 + 1>>>(x, out, n, m);
    typed<<<1, 96, 96 * 11 + 2401>>>(d, out, n);
}
