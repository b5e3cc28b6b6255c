// Horner's rule on rows of coefficients. The lambdas are made before the loop
// and have locals of their own, one for each side.
// pipelinify: launch horner_rows
//   sizes n=0,1,16,24,48,61
//   target n=32768
//   grid 3
//   block 16
//   coeffs: in [3 * n]
//   points: in [48]
//   out: out [48]
//   n: n
__global__ void horner_rows(const float *__restrict__ coeffs,
                            const float *__restrict__ points,
                            float *__restrict__ out, int n)
{
    __shared__ float c_stage[2][16];
    const int row = blockIdx.x;
    const float x = points[row * 16 + threadIdx.x];
    float value = 0.0f;
    const auto live = [&](int first) {
        int rest = n - first;
        if (rest > 16) rest = 16;
        return rest;
    };
    const auto fetch = [&](int first) {
        const int at = first + threadIdx.x;
        const float *line = coeffs + row * n;
        return at < n ? line[at] : 0.0f;
    };
    // pipelinify: ldg, 2 stages, source 6334e710
    {
        int first = 0;
        auto first_tile = first;
        if (first < n) {
            // Computes on the tile in a stage.
            auto compute_tile = [&](int stage) {
                auto &c = c_stage[stage];
                auto &first = first_tile;
                const int m = live(first);
                for (int i = 0; i < m; ++i)
                    value = value * x + c[i];
            };

            // Prologue: load the first tile.
            {
                auto &c = c_stage[0];
                c[threadIdx.x] = fetch(first);
            }
            first += 16;
            __syncthreads();

            // Main loop: fetch the next tile while computing on this one.
            int stage = 0;
            for (; first < n; first += 16) {
                float c_next = fetch(first);
                compute_tile(stage);
                first_tile += 16;
                stage ^= 1;
                {
                    auto &c = c_stage[stage];
                    c[threadIdx.x] = c_next;
                }
                __syncthreads();
            }

            // Epilogue: compute on the last tile.
            compute_tile(stage);
        }
    }
    out[row * 16 + threadIdx.x] = value;
}
