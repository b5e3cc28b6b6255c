// Pairwise measures: the loop stands in a template, what it does with two features in
// a lambda that the kernel hands over.
template <int TILE, typename Core, typename Last>
__device__ void pairwise(const float *__restrict__ rows, const float *__restrict__ columns,
                         float *__restrict__ out, int width, Core core, Last last)
{
    __shared__ float r_stage[2][TILE][TILE + 1], c_stage[2][TILE][TILE + 1];
    const int x = threadIdx.x, y = threadIdx.y;
    const float *mine = rows + (blockIdx.y * TILE + y) * width;
    const float *other = columns + (blockIdx.x * TILE + y) * width;
    float sum = 0;
    // pipelinify: ldg, 2 stages, source 0c66a8ae
    static_assert(__is_trivially_copyable(Core) && !__is_same(Core, volatile Core),
                  "Core must be plain data and not volatile");
    int k = 0, stage = 0;
    if (k < width) {
        r_stage[0][y][x] = mine[k + x];
        c_stage[0][y][x] = other[k + x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += TILE; k < width; k += TILE) {
            float r_next = mine[k + x];
            float c_next = other[k + x];
#pragma unroll
            for (int i = 0; i < TILE; ++i)
                core(sum, r_stage[stage][y][i], c_stage[stage][x][i]);
            stage ^= 1;
            r_stage[stage][y][x] = r_next;
            c_stage[stage][y][x] = c_next;
            __syncthreads();
        }
#pragma unroll
        for (int i = 0; i < TILE; ++i)
            core(sum, r_stage[stage][y][i], c_stage[stage][x][i]);
        __syncthreads();
    }
    out[(blockIdx.y * TILE + y) * gridDim.x * TILE + blockIdx.x * TILE + x] = last(sum);
}

// pipelinify: launch euclid
//   sizes    n=16,32 width=0,16,32,80
//   target   n=2048 width=512
//   grid     n / 16, n / 16
//   block    16, 16
//   rows:    in [n * width] random
//   columns: in [n * width] random
//   out:     out [n * n]
//   width:   width
__global__ void __launch_bounds__(256) euclid(const float *rows, const float *columns, float *out, int width)
{
    auto core = [](float &sum, float a, float b) {
        const float d = a - b;
        sum += d * d;
    };
    pairwise<16>(rows, columns, out, width, core, [](float sum) { return sqrtf(sum); });
}

// pipelinify: launch city
//   sizes    n=16,32 width=0,16,32,80
//   grid     n / 16, n / 16
//   block    16, 16
//   rows:    in [n * width] random
//   columns: in [n * width] random
//   out:     out [n * n]
//   width:   width
__global__ void __launch_bounds__(256) city(const float *rows, const float *columns, float *out, int width)
{
    pairwise<16>(rows, columns, out, width,
                 [](auto &sum, auto a, auto b) { sum += a > b ? a - b : b - a; },
                 [](auto sum) { return sum; });
}
