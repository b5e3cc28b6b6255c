// Records in static shared memory that hold tiles and scratch: each member is one object.

#include <cuda_pipeline.h>

struct Shared {
    float a[32][33];
    float b[32][32];
    float largest[8];
    int order[32];
};

// pipelinify: launch products
//   sizes  m=32,50 n=32,40 k=0,1,32,70
//   grid   (n + 31) / 32, (m + 31) / 32
//   block  32, 8
//   x:     in  [m * k + 1] random
//   y:     in  [k * n + 1] random
//   out:   out [m * n]
//   m: m
//   n: n
//   k: k
__global__ void products(const float *__restrict__ x, const float *__restrict__ y,
                         float *__restrict__ out, int m, int n, int k)
{
    __shared__ __align__(16) decltype(Shared::order) sh_order;
    __shared__ __align__(16) decltype(Shared::a) sh_a_stage[2];
    __shared__ __align__(16) decltype(Shared::b) sh_b_stage[2];
    __shared__ __align__(16) decltype(Shared::largest) sh_largest;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 32, col = blockIdx.x * 32 + tx;
    if (ty == 0)
        sh_order[tx] = (tx * 5) % 8;
    __syncthreads();
    float sum[4] = {};
    // pipelinify: cp.async, 2 stages, source fba6e0fa
    int k0_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (k0_load < k) {
            for (int i = ty; i < 32; i += 8) {
                __pipeline_memcpy_async(&sh_a_stage[load_stage][i][tx],
                                        &x[(row + i) * k + k0_load + tx], sizeof(float),
                                        (row + i < m && k0_load + tx < k) ? 0 : sizeof(float));
                __pipeline_memcpy_async(&sh_b_stage[load_stage][i][tx], &y[(k0_load + i) * n + col],
                                        sizeof(float),
                                        (k0_load + i < k && col < n) ? 0 : sizeof(float));
            }
            k0_load += 32;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int k0 = 0; k0 < k; k0 += 32) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        float largest = 0.f;
        for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 32; ++j) {
                sum[i] += sh_a_stage[stage][ty + 8 * i][j] * sh_b_stage[stage][j][tx];
                largest = fmaxf(largest, sh_b_stage[stage][j][tx]);
            }
        for (int d = 16; d > 0; d /= 2)
            largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, d));
        if (tx == 0)
            sh_largest[ty] = largest;
        __syncthreads();
        sum[0] += sh_largest[sh_order[tx]];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    for (int i = 0; i < 4; ++i)
        if (row + ty + 8 * i < m && col < n)
            out[(row + ty + 8 * i) * n + col] = sum[i] + sh_order[tx];
}

// Of a template, with a second loop that uses the scratch alone.
template <typename T, int N>
struct Rows {
    T sums[N];
    int count;
    alignas(16) T row[4 * N];
};

// pipelinify: launch counted_rows<float, 64>
//   sizes  n=0,1,2,5
//   block  64
//   x:     in  [n * 256 + 1] random
//   out:   out [64]
//   n: n
template <typename T, int N>
__global__ void counted_rows(const T *__restrict__ x, T *__restrict__ out, int n)
{
    __shared__ Rows<T, N> s;
    const int t = threadIdx.x;
    if (t == 0)
        s.count = 0;
    s.sums[t] = 0;
    __syncthreads();
    for (int k = 0; k < n; ++k) {
        for (int i = 0; i < 4; ++i)
            s.row[i * N + t] = x[(k * 4 + i) * N + t];
        __syncthreads();
        s.sums[t] += s.row[4 * t] * s.row[(4 * t + 7) % (4 * N)];
        if (t == 0)
            s.count += s.row[0] > 0.5f;
        __syncthreads();
    }
    T all = 0;
    for (int d = 0; d < N; ++d)
        all += s.sums[(t + d) % N];
    out[t] = all + s.count;
}

void run(const float *x, float *out, int n) { counted_rows<float, 64><<<1, 64>>>(x, out, n); }
