// The kernel is a template that runs what its argument says; the loop is handed the
// launch's parameters by reference, in a record of pointers and numbers.
struct Params {
    const float *__restrict__ q, *__restrict__ k, *__restrict__ v;
    float *__restrict__ o;
    int keys, stride;
    float scale;
};

template <int HEAD, int KEYS, bool CAUSAL> struct Attention {
    static constexpr int threads = KEYS;
    struct Shared {
        float k[KEYS][HEAD + 1];
        float v[KEYS][HEAD];
    };
    static __device__ void run(const Params &p, Shared &shared)
    {
        const int t = threadIdx.x, row = blockIdx.x * KEYS + t;
        float q[HEAD], o[HEAD] = {}, most = -1e30f, total = 0;
#pragma unroll
        for (int d = 0; d < HEAD; ++d)
            q[d] = p.q[row * p.stride + d] * p.scale;
        const int end = CAUSAL ? min(p.keys, (int)(blockIdx.x + 1) * KEYS) : p.keys;
        // pipelinify: ldg-single, 1 stage, source 177b00d5
        int first = 0, first_tile = first;
        if (first < end) {
            auto compute_tile = [&]() {
                float s[KEYS], now = most;
#pragma unroll
                for (int j = 0; j < KEYS; ++j) {
                    s[j] = 0;
                    for (int d = 0; d < HEAD; ++d)
                        s[j] += q[d] * shared.k[j][d];
                    if ((CAUSAL && first_tile + j > row) || first_tile + j >= p.keys)
                        s[j] = -1e30f;
                    now = fmaxf(now, s[j]);
                }
                const float less = __expf(most - now);
                total *= less;
                for (int d = 0; d < HEAD; ++d)
                    o[d] *= less;
#pragma unroll
                for (int j = 0; j < KEYS; ++j) {
                    const float w = __expf(s[j] - now);
                    total += w;
                    for (int d = 0; d < HEAD; ++d)
                        o[d] += w * shared.v[j][d];
                }
                most = now;
            };
#pragma unroll
            for (int i = t; i < KEYS * HEAD; i += threads) {
                const int r = i / HEAD, c = i % HEAD;
                const bool there = first + r < p.keys;
                shared.k[r][c] = there ? p.k[(first + r) * p.stride + c] : 0.f;
                shared.v[r][c] = there ? p.v[(first + r) * p.stride + c] : 0.f;
            }
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (first += KEYS; first < end; first += KEYS) {
                float k_next[(KEYS * HEAD + threads - 1) / threads];
                float v_next[(KEYS * HEAD + threads - 1) / threads];
#pragma unroll
                for (int slot = 0; slot < (KEYS * HEAD + threads - 1) / threads; ++slot) {
                    int i = t + slot * threads;
                    if (i < KEYS * HEAD) {
                        const int r = i / HEAD, c = i % HEAD;
                        const bool there = first + r < p.keys;
                        k_next[slot] = there ? p.k[(first + r) * p.stride + c] : 0.f;
                        v_next[slot] = there ? p.v[(first + r) * p.stride + c] : 0.f;
                    }
                }
                compute_tile();
                first_tile += KEYS;
                __syncthreads();
#pragma unroll
                for (int slot = 0; slot < (KEYS * HEAD + threads - 1) / threads; ++slot) {
                    int i = t + slot * threads;
                    if (i < KEYS * HEAD) {
                        const int r = i / HEAD, c = i % HEAD;
                        shared.k[r][c] = k_next[slot];
                        shared.v[r][c] = v_next[slot];
                    }
                }
                __syncthreads();
            }
            compute_tile();
            __syncthreads();
        }
        for (int d = 0; d < HEAD; ++d)
            p.o[row * p.stride + d] = o[d] / total;
    }
};

// pipelinify: launch entry<Attention<8, 32, true>>
//   sizes    n=32,64,96
//   target   n=4096
//   let      stride = 8
//   grid     n / 32
//   block    32
//   q:       in [n * stride] random
//   k:       in [n * stride] random
//   v:       in [n * stride] random
//   o:       out [n * stride]
//   keys:    n - 3
//   stride:  stride
//   scale:   0.35
// pipelinify: launch entry<Attention<8, 32, false>>
//   sizes    n=32,64,96
//   let      stride = 8
//   grid     n / 32
//   block    32
//   q:       in [n * stride] random
//   k:       in [n * stride] random
//   v:       in [n * stride] random
//   o:       out [n * stride]
//   keys:    n - 3
//   stride:  stride
//   scale:   0.35
template <typename K>
__global__ void __launch_bounds__(K::threads)
entry(const float *q, const float *k, const float *v, float *o, int keys, int stride, float scale)
{
    __shared__ typename K::Shared shared;
    const Params p = {q, k, v, o, keys, stride, scale};
    K::run(p, shared);
}

void launch(const float *q, const float *k, const float *v, float *o, int n, bool causal, cudaStream_t stream)
{
    if (causal)
        entry<Attention<8, 32, true>><<<n / 32, 32, 0, stream>>>(q, k, v, o, n, 8, 0.35f);
    else
        entry<Attention<8, 32, false>><<<n / 32, 32, 0, stream>>>(q, k, v, o, n, 8, 0.35f);
}
