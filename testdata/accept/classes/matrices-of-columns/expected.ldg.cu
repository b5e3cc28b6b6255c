// Matrices made of columns, both of classes whose default constructors are the user's: what
// makes one, or hands it on, is seen where it stands.
template <typename T>
struct column {
    T x, y;

    __host__ __device__ column() : x(0), y(0) {}
    __host__ __device__ column(T a, T b) : x(a), y(b) {}
};

template <typename T>
struct matrix {
    typedef column<T> col;
    col value[2];

    __host__ __device__ matrix() {}
    __host__ __device__ matrix(T a, T b, T c, T d) : value{col(a, b), col(c, d)} {}
    __host__ __device__ const col &operator[](int i) const { return value[i]; }
};

template <typename T>
__host__ __device__ matrix<T> operator*(const matrix<T> &a, const matrix<T> &b)
{
    return matrix<T>(a[0].x * b[0].x + a[1].x * b[0].y, a[0].y * b[0].x + a[1].y * b[0].y,
                     a[0].x * b[1].x + a[1].x * b[1].y, a[0].y * b[1].x + a[1].y * b[1].y);
}

__device__ inline matrix<float> turned(float c, float s)
{
    return matrix<float>(c, s, -s, c);
}

// pipelinify: launch splats
//   sizes    n=1,63,64,65,200
//   target   n=1048576
//   grid     4
//   block    64
//   turns:   in  [n] random
//   widths:  in  [n] random
//   out:     out [256]
//   n:       n
__global__ void __launch_bounds__(64)
    splats(const float2 *__restrict__ turns, const float2 *__restrict__ widths,
           float *__restrict__ out, int n)
{
    __shared__ float4 form_stage[2][64];
    const float px = threadIdx.x * 0.25f, py = blockIdx.x * 0.5f;
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source d710e734
    int first = 0, stage = 0;
    if (first < n) {
        auto compute_tile = [&]() {
            for (int i = 0; i < 64; ++i) {
                const float4 m = form_stage[stage][i];
                const float u = m.x * px + m.z * py, v = m.y * px + m.w * py;
                sum += u * u + v * v;
            }
        };
        {
            const int at = first + threadIdx.x;
            float4 word = make_float4(0.f, 0.f, 0.f, 0.f);
            if (at < n) {
                const float2 turn = turns[at], width = widths[at];
                matrix<float> r = turned(turn.x, turn.y);
                matrix<float> s = matrix<float>(width.x, 0.f, 0.f, width.y);
                const matrix<float> m = r * s;
                word = make_float4(m[0].x, m[0].y, m[1].x, m[1].y);
            }
            form_stage[0][threadIdx.x] = word;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += 64; first < n; first += 64) {
            const int at = first + threadIdx.x;
            float4 word = make_float4(0.f, 0.f, 0.f, 0.f);
            if (at < n) {
                const float2 turn = turns[at], width = widths[at];
                matrix<float> r = turned(turn.x, turn.y);
                matrix<float> s = matrix<float>(width.x, 0.f, 0.f, width.y);
                const matrix<float> m = r * s;
                word = make_float4(m[0].x, m[0].y, m[1].x, m[1].y);
            }
            compute_tile();
            stage ^= 1;
            form_stage[stage][threadIdx.x] = word;
            __syncthreads();
        }
        compute_tile();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}
