// A generic lambda fills the tile; another one folds it with the lambda that it is handed.
// pipelinify: launch scan_windows<float, 64>
//   sizes    R=1,3 N=0,1,63,64,65,200
//   grid     R
//   block    64
//   in:      in [R * N]
//   out:     out [R * 64]
//   n:       N
//   ld:      N
// pipelinify: launch scan_windows<int, 32>
//   sizes    R=3 N=0,1,32,33,100
//   grid     R
//   block    32
//   in:      in [R * N]
//   out:     out [R * 32]
//   n:       N
//   ld:      N
template <typename T, int BLOCK, typename Index = int>
__global__ void scan_windows(const T *__restrict__ in, T *__restrict__ out, Index n, Index ld)
{
    __shared__ T buf[BLOCK];
    const auto fill = [&](auto first, auto limit, auto pad) {
        const auto i = first + static_cast<decltype(first)>(threadIdx.x);
        buf[threadIdx.x] = i < limit ? in[blockIdx.x * ld + i] : static_cast<T>(pad);
    };
    const auto fill_fetch = [&](auto first, auto limit, auto pad) {
        const auto i = first + static_cast<decltype(first)>(threadIdx.x);
        T buf_next = i < limit ? in[blockIdx.x * ld + i] : static_cast<T>(pad);
        return buf_next;
    };
    const auto fill_store = [&](T buf_next) {
        buf[threadIdx.x] = buf_next;
    };
    const auto fold = [](auto init, const auto *values, auto count, auto op) {
        for (decltype(count) i = 0; i < count; ++i)
            init = op(init, values[i]);
        return init;
    };
    T best = T(-1000);
    // pipelinify: ldg-single, 1 stage, source d10ce91c
    static_assert(__is_same(Index, int),
                  "pipelined for this Index alone: run pipelinify again for another");
    static_assert(__is_same(T, float) ||
                  __is_same(T, int),
                  "pipelined for this T alone: run pipelinify again for another");
    static_assert((long long)BLOCK == 64 ||
                  (long long)BLOCK == 32,
                  "pipelined for this BLOCK alone: run pipelinify again for another");
    Index base = 0;
    if (base < n) {
        fill(base, n, -1000);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += BLOCK; base < n; base += BLOCK) {
            auto fill_next = fill_fetch(base, n, -1000);
            best = fold(best, buf, static_cast<int>(threadIdx.x) + 1, [](auto a, auto b) { return a < b ? b : a; });
            __syncthreads();
            fill_store(fill_next);
            __syncthreads();
        }
        best = fold(best, buf, static_cast<int>(threadIdx.x) + 1, [](auto a, auto b) { return a < b ? b : a; });
        __syncthreads();
    }
    out[blockIdx.x * BLOCK + threadIdx.x] = best;
}
