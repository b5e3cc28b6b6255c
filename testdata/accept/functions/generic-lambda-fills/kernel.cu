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
    const auto fold = [](auto init, const auto *values, auto count, auto op) {
        for (decltype(count) i = 0; i < count; ++i)
            init = op(init, values[i]);
        return init;
    };
    T best = T(-1000);
    for (Index base = 0; base < n; base += BLOCK) {
        fill(base, n, -1000);
        __syncthreads();
        best = fold(best, buf, static_cast<int>(threadIdx.x) + 1, [](auto a, auto b) { return a < b ? b : a; });
        __syncthreads();
    }
    out[blockIdx.x * BLOCK + threadIdx.x] = best;
}
