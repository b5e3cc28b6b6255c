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
    __shared__ Shared sh;
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int row = blockIdx.y * 32, col = blockIdx.x * 32 + tx;
    if (ty == 0)
        sh.order[tx] = (tx * 5) % 8;
    __syncthreads();
    float sum[4] = {};
    // pipelinify: ldg-single, 1 stage, source f60723b6
    int k0 = 0;
    if (k0 < k) {
        auto compute_tile = [&]() {
            float largest = 0.f;
            for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 32; ++j) {
                    sum[i] += sh.a[ty + 8 * i][j] * sh.b[j][tx];
                    largest = fmaxf(largest, sh.b[j][tx]);
                }
            for (int d = 16; d > 0; d /= 2)
                largest = fmaxf(largest, __shfl_xor_sync(0xffffffff, largest, d));
            if (tx == 0)
                sh.largest[ty] = largest;
            __syncthreads();
            sum[0] += sh.largest[sh.order[tx]];
        };
        for (int i = ty; i < 32; i += 8) {
            sh.a[i][tx] = row + i < m && k0 + tx < k ? x[(row + i) * k + k0 + tx] : 0.f;
            sh.b[i][tx] = k0 + i < k && col < n ? y[(k0 + i) * n + col] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 32; k0 < k; k0 += 32) {
            float a_next[4];
            float b_next[4];
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = ty + slot * 8;
                if (i < 32) {
                    a_next[slot] = row + i < m && k0 + tx < k ? x[(row + i) * k + k0 + tx] : 0.f;
                    b_next[slot] = k0 + i < k && col < n ? y[(k0 + i) * n + col] : 0.f;
                }
            }
            compute_tile();
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 4; ++slot) {
                int i = ty + slot * 8;
                if (i < 32) {
                    sh.a[i][tx] = a_next[slot];
                    sh.b[i][tx] = b_next[slot];
                }
            }
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    for (int i = 0; i < 4; ++i)
        if (row + ty + 8 * i < m && col < n)
            out[(row + ty + 8 * i) * n + col] = sum[i] + sh.order[tx];
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
    // pipelinify: ldg-single, 1 stage, source a6b503b9
    static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T),
                  "T must be plain data and not volatile");
    int k = 0;
    if (k < n) {
        for (int i = 0; i < 4; ++i)
            s.row[i * N + t] = x[(k * 4 + i) * N + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            T row_next[4];
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                row_next[i] = x[(k * 4 + i) * N + t];
            s.sums[t] += s.row[4 * t] * s.row[(4 * t + 7) % (4 * N)];
            if (t == 0)
                s.count += s.row[0] > 0.5f;
            __syncthreads();
            #pragma unroll
            for (int i = 0; i < 4; ++i)
                s.row[i * N + t] = row_next[i];
            __syncthreads();
        }
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
