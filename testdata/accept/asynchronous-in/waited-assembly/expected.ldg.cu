// cp.async as it is written by hand: in the loop, by macros and by functions.

#define CP_ASYNC_CG(dst, src, bytes)                                                     \
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;\n" ::"r"(dst),      \
                 "l"(src), "n"(bytes))
#define CP_ASYNC_COMMIT_GROUP() asm volatile("cp.async.commit_group;\n" ::)
#define CP_ASYNC_WAIT_GROUP(n) asm volatile("cp.async.wait_group %0;\n" ::"n"(n))

// pipelinify: launch written_out
//   sizes    n=0,128,256,640
//   block    128
//   a:       in [n] random
//   out:     out [128]
//   n:       n
__global__ void written_out(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s_stage[2][128];
    float acc = 0;
    // pipelinify: ldg, 2 stages, source 8d186bc9
    int i = 0, stage = 0;
    if (i < n) {
        s_stage[0][threadIdx.x] = *(a + i + threadIdx.x);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += 128; i < n; i += 128) {
            float s_next = *(a + i + threadIdx.x);
            for (int j = 0; j < 128; ++j)
                acc += s_stage[stage][(threadIdx.x + j) % 128] * (j + 1);
            stage ^= 1;
            s_stage[stage][threadIdx.x] = s_next;
            __syncthreads();
        }
        for (int j = 0; j < 128; ++j)
            acc += s_stage[stage][(threadIdx.x + j) % 128] * (j + 1);
    }
    out[threadIdx.x] = acc;
}

// pipelinify: launch by_macros
//   sizes    tiles=0,1,2,5
//   block    64
//   a:       in [tiles * 512] random
//   out:     out [64]
//   tiles:   tiles
__global__ void by_macros(const float *__restrict__ a, float *__restrict__ out, int tiles)
{
    __shared__ __align__(16) float s_stage[2][8][64];
    float acc = 0;
    // pipelinify: ldg, 2 stages, source 7876ed11
    int k = 0, stage = 0;
    if (k < tiles) {
        for (int i = threadIdx.x; i < 128; i += 64) {
            *reinterpret_cast<float4 *>(&s_stage[0][i / 16][i % 16 * 4]) =
                *reinterpret_cast<const float4 *>(&a[k * 512 + i * 4]);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < tiles; ++k) {
            float4 s_next[2];
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                s_next[slot] = *reinterpret_cast<const float4 *>(&a[k * 512 + i * 4]);
            }
            for (int j = 0; j < 8; ++j)
                acc += s_stage[stage][j][threadIdx.x] * (j + 1);
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = (threadIdx.x < 64 ? threadIdx.x : 63) + slot * 64;
                *reinterpret_cast<float4 *>(&s_stage[stage][i / 16][i % 16 * 4]) = s_next[slot];
            }
            __syncthreads();
        }
        for (int j = 0; j < 8; ++j)
            acc += s_stage[stage][j][threadIdx.x] * (j + 1);
    }
    out[threadIdx.x] = acc;
}

__device__ __forceinline__ unsigned shared_address(const void *p)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

template <int BYTES>
__device__ __forceinline__ void copy_async(void *to, const void *from)
{
    unsigned at = shared_address(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2;\n" ::"r"(at), "l"(from), "n"(BYTES));
}

__device__ inline void copy_async_zfill(void *to, const void *from, bool there)
{
    const int bytes = there ? 16 : 0;
    unsigned at = shared_address(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;\n" ::"r"(at), "l"(from), "r"(bytes));
}

__device__ inline void commit_group() { asm volatile("cp.async.commit_group;\n" ::: "memory"); }

template <int N>
__device__ inline void wait_group() { asm volatile("cp.async.wait_group %0;\n" ::"n"(N)); }

__device__ inline void wait_all() { asm volatile("cp.async.wait_all;\n" ::); }

// pipelinify: launch by_functions
//   sizes    m=16,32,20 k=16,48,40
//   grid     (m + 15) / 16
//   block    64
//   a:       in [m * k] random
//   x:       in [k + 16] random
//   y:       out [m * 4]
//   m:       m
//   k:       k
__global__ void by_functions(const float *__restrict__ a, const float *__restrict__ x,
                             float *__restrict__ y, int m, int k)
{
    __shared__ __align__(16) float as_stage[2][16][16];
    __shared__ __align__(16) float xs_stage[2][16];
    const int r = threadIdx.x / 4, c = threadIdx.x % 4 * 4, row = blockIdx.x * 16 + r;
    float sum = 0;
    // pipelinify: ldg, 2 stages, source be28ea77
    int k0 = 0, stage = 0;
    if (k0 < k) {
        if (row < m && k0 + c < k)
            *reinterpret_cast<float4 *>(&as_stage[0][r][c]) =
            *reinterpret_cast<const float4 *>(row < m ? &a[row * k + k0 + c] :
                                              a); else *reinterpret_cast<float4 *>(&as_stage[0][r][c]) =
            make_float4(0, 0, 0, 0);
        if (threadIdx.x < 4)
            { *reinterpret_cast<float4 *>(&xs_stage[0][4 * threadIdx.x]) = *reinterpret_cast<const float4 *>(&x[k0 +
                4 * threadIdx.x]); }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k0 += 16; k0 < k; k0 += 16) {
            float4 as_next;
            float4 xs_next;
            if (row < m && k0 + c < k)
                as_next = *reinterpret_cast<const float4 *>(row < m ? &a[row * k + k0 + c] : a);
            else
                as_next = make_float4(0, 0, 0, 0);
            if (threadIdx.x < 4) {
                xs_next = *reinterpret_cast<const float4 *>(&x[k0 + 4 * threadIdx.x]);
            }
            for (int j = 0; j < 4; ++j)
                sum += as_stage[stage][r][4 * (threadIdx.x % 4) + j] * xs_stage[stage][4 * (threadIdx.x % 4) + j];
            stage ^= 1;
            *reinterpret_cast<float4 *>(&as_stage[stage][r][c]) = as_next;
            if (threadIdx.x < 4) {
                *reinterpret_cast<float4 *>(&xs_stage[stage][4 * threadIdx.x]) = xs_next;
            }
            __syncthreads();
        }
        for (int j = 0; j < 4; ++j)
            sum += as_stage[stage][r][4 * (threadIdx.x % 4) + j] * xs_stage[stage][4 * (threadIdx.x % 4) + j];
    }
    if (row < m)
        y[row * 4 + threadIdx.x % 4] = sum;
}

// The predicate that the copy of a quantised kernel stands under.
// pipelinify: launch under_predicate
//   sizes    n=0,100,256,300
//   block    64
//   a:       in [n + 4] random
//   out:     out [64]
//   n:       n
__device__ inline void copy_async_pred(void *to, const void *from, bool pred = true)
{
    const int BYTES = 16;
    unsigned at = static_cast<unsigned>(__cvta_generic_to_shared(to));
    asm volatile("{\n"
                 "   .reg .pred p;\n"
                 "   setp.ne.b32 p, %0, 0;\n"
                 "   @p cp.async.cg.shared.global [%1], [%2], %3;\n"
                 "}\n" ::"r"((int)pred), "r"(at), "l"(from), "n"(BYTES));
}

__global__ void under_predicate(const int *__restrict__ a, int *__restrict__ out, int n)
{
    __shared__ int4 s_stage[2][64];
    int sum = 0;
    // pipelinify: ldg, 2 stages, source e28975cf
    int k = 0, k_tile = k, stage = 0;
    if (k < n) {
        if (k + 4 * threadIdx.x < n)
            *reinterpret_cast<uint4 *>(&s_stage[0][threadIdx.x]) =
            *reinterpret_cast<const uint4 *>(&a[k + 4 * threadIdx.x]);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 256; k < n; k += 256) {
            uint4 s_next;
            if (k + 4 * threadIdx.x < n)
                s_next = *reinterpret_cast<const uint4 *>(&a[k + 4 * threadIdx.x]);
            for (int j = 0; j < 64 && k_tile + 4 * j < n; ++j)
                sum += s_stage[stage][j].x - s_stage[stage][j].w + s_stage[stage][j].y * (int)threadIdx.x;
            k_tile += 256;
            stage ^= 1;
            if (k + 4 * threadIdx.x < n)
                *reinterpret_cast<uint4 *>(&s_stage[stage][threadIdx.x]) = s_next;
            __syncthreads();
        }
        for (int j = 0; j < 64 && k_tile + 4 * j < n; ++j)
            sum += s_stage[stage][j].x - s_stage[stage][j].w + s_stage[stage][j].y * (int)threadIdx.x;
    }
    out[threadIdx.x] = sum;
}

// One statement that commits and waits: assembly for all that was issued.
// pipelinify: launch both_at_once
//   sizes    n=0,96,192,480
//   block    96
//   a:       in [n] random
//   out:     out [96]
//   n:       n
__global__ void both_at_once(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s_stage[2][96];
    float acc = 0;
    // pipelinify: ldg, 2 stages, source 5a4958b1
    int i = 0, stage = 0;
    if (i < n) {
        s_stage[0][threadIdx.x] = *(a + i + threadIdx.x);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (i += 96; i < n; i += 96) {
            float s_next = *(a + i + threadIdx.x);
            for (int j = 0; j < 96; ++j)
                acc += s_stage[stage][(threadIdx.x + j) % 96] * (j + 1);
            stage ^= 1;
            s_stage[stage][threadIdx.x] = s_next;
            __syncthreads();
        }
        for (int j = 0; j < 96; ++j)
            acc += s_stage[stage][(threadIdx.x + j) % 96] * (j + 1);
    }
    out[threadIdx.x] = acc;
}

__device__ inline void finish_copies()
{
    asm volatile("{ cp.async.commit_group; cp.async.wait_all; }" ::: "memory");
}

template <int N>
__device__ __forceinline__ void commit_and_wait()
{
    asm volatile("cp.async.commit_group;\n\tcp.async.wait_group %0;" ::"n"(N) : "memory");
}

// pipelinify: launch twice_in_a_turn
//   sizes    n=0,1,2,5
//   block    64
//   a:       in [n * 512] random
//   out:     out [64]
//   n:       n
__global__ void twice_in_a_turn(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ __align__(16) float s_stage[2][256], t_stage[2][256];
    float acc = 0;
    // pipelinify: ldg, 2 stages, source 45ddf819
    int k = 0, stage = 0;
    if (k < n) {
        *reinterpret_cast<float4 *>(&s_stage[0][4 * threadIdx.x]) =
            *reinterpret_cast<const float4 *>(a + k * 512 + 4 * threadIdx.x);
        *reinterpret_cast<float4 *>(&t_stage[0][4 * threadIdx.x]) =
            *reinterpret_cast<const float4 *>(a + k * 512 + 256 + 4 * threadIdx.x);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float4 s_next = *reinterpret_cast<const float4 *>(a + k * 512 + 4 * threadIdx.x);
            float4 t_next = *reinterpret_cast<const float4 *>(a + k * 512 + 256 + 4 * threadIdx.x);
            for (int j = 0; j < 64; ++j)
                acc += s_stage[stage][j] * t_stage[stage][(threadIdx.x + j) % 256];
            stage ^= 1;
            *reinterpret_cast<float4 *>(&s_stage[stage][4 * threadIdx.x]) = s_next;
            *reinterpret_cast<float4 *>(&t_stage[stage][4 * threadIdx.x]) = t_next;
            __syncthreads();
        }
        for (int j = 0; j < 64; ++j)
            acc += s_stage[stage][j] * t_stage[stage][(threadIdx.x + j) % 256];
    }
    out[threadIdx.x] = acc;
}
