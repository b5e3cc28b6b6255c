// Records in static shared memory that hold tiles and scratch: each member is one object.

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
    // pipelinify: ldg, 2 stages, source fba6e0fa
    int k0 = 0, stage = 0;
    if (k0 < k) {
        auto compute_tile = [&]() {
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
        };
        for (int i = ty; i < 32; i += 8) {
            sh_a_stage[0][i][tx] = row + i < m && k0 + tx < k ? x[(row + i) * k + k0 + tx] : 0.f;
            sh_b_stage[0][i][tx] = k0 + i < k && col < n ? y[(k0 + i) * n + col] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 32; k0 < k; k0 += 32) {
            float sh_a_next[4];
            float sh_b_next[4];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = ty + slot * 8;
                if (i < 32) {
                    sh_a_next[slot] = row + i < m && k0 + tx < k ? x[(row + i) * k + k0 + tx] : 0.f;
                    sh_b_next[slot] = k0 + i < k && col < n ? y[(k0 + i) * n + col] : 0.f;
                }
            }
            compute_tile();
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = ty + slot * 8;
                if (i < 32) {
                    sh_a_stage[stage][i][tx] = sh_a_next[slot];
                    sh_b_stage[stage][i][tx] = sh_b_next[slot];
                }
            }
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
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
    __shared__ __align__(16) decltype(Rows<T, N>::count) s_count;
    __shared__ __align__(16) decltype(Rows<T, N>::sums) s_sums;
    __shared__ __align__(16) decltype(Rows<T, N>::row) s_row_stage[2];
    const int t = threadIdx.x;
    if (t == 0)
        s_count = 0;
    s_sums[t] = 0;
    __syncthreads();
    // pipelinify: ldg, 2 stages, source 1ade8595
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    int k = 0, stage = 0;
    if (k < n) {
        for (int i = 0; i < 4; ++i)
            s_row_stage[0][i * N + t] = x[(k * 4 + i) * N + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            T s_row_next[4];
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                s_row_next[i] = x[(k * 4 + i) * N + t];
            s_sums[t] += s_row_stage[stage][4 * t] * s_row_stage[stage][(4 * t + 7) % (4 * N)];
            if (t == 0)
                s_count += s_row_stage[stage][0] > 0.5f;
            stage ^= 1;
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                s_row_stage[stage][i * N + t] = s_row_next[i];
            __syncthreads();
        }
        s_sums[t] += s_row_stage[stage][4 * t] * s_row_stage[stage][(4 * t + 7) % (4 * N)];
        if (t == 0)
            s_count += s_row_stage[stage][0] > 0.5f;
        __syncthreads();
    }
    T all = 0;
    for (int d = 0; d < N; ++d)
        all += s_sums[(t + d) % N];
    out[t] = all + s_count;
}

void run(const float *x, float *out, int n) { counted_rows<float, 64><<<1, 64>>>(x, out, n); }
