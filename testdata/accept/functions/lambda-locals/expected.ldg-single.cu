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
    __shared__ float c[16];
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
    // pipelinify: ldg-single, 1 stage, source 6334e710
    {
        int first = 0, first_tile = first;
        if (first < n) {
            auto compute_tile = [&]() {
                const int m = live(first_tile);
                for (int i = 0; i < m; ++i)
                    value = value * x + c[i];
            };
            c[threadIdx.x] = fetch(first);
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (first += 16; first < n; first += 16) {
                float c_next = fetch(first);
                compute_tile();
                first_tile += 16;
                __syncthreads();
                c[threadIdx.x] = c_next;
                __syncthreads();
            }
            compute_tile();
        }
    }
    out[row * 16 + threadIdx.x] = value;
}
