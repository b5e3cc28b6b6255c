#define LANES 64

// The best score so far stays in shared memory, in a lambda: two texts of the loop's
// body are two lambdas, each with a `best` of its own.
__global__ void best_by_lambda(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float s[LANES];
    const int lane = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < tiles; ++i) {
        s[lane] = x[i * LANES + lane];
        __syncthreads();
        auto keep = [&](float v) {
            __shared__ float best[LANES];
            best[lane] = i == 0 ? v : fmaxf(best[lane], v);
            return best[lane];
        };
        for (int j = 0; j < LANES; ++j)
            sum += s[j ^ lane];
        const float most = keep(sum);
        if (i == tiles - 1)
            out[blockIdx.x * LANES + lane] = most;
        __syncthreads();
    }
}

template <class Score>
__device__ float most_of(const Score &score, bool first)
{
    __shared__ float best[LANES];
    const float v = score();
    best[threadIdx.x] = first ? v : fmaxf(best[threadIdx.x], v);
    return best[threadIdx.x];
}

// For each lambda another function, and another array.
__global__ void best_by_template(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float s[LANES];
    const int lane = threadIdx.x;
    for (int i = 0; i < tiles; ++i) {
        s[lane] = x[i * LANES + lane];
        __syncthreads();
        const float most = most_of([&] { return s[lane ^ 1] * s[0]; }, i == 0);
        if (i == tiles - 1)
            out[blockIdx.x * LANES + lane] = most;
        __syncthreads();
    }
}

// In a block within the body: declared at the body's own level it moves in front.
__global__ void best_in_block(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float s[LANES];
    const int lane = threadIdx.x;
    for (int i = 0; i < tiles; ++i) {
        s[lane] = x[i * LANES + lane];
        __syncthreads();
        if (tiles > 1) {
            __shared__ float best[LANES];
            best[lane] = i == 0 ? s[lane ^ 1] : fmaxf(best[lane], s[lane ^ 1]);
            if (i == tiles - 1)
                out[blockIdx.x * LANES + lane] = best[lane];
        }
        __syncthreads();
    }
}

template <class V>
__device__ V total(V v)
{
    __shared__ V part[LANES];
    part[threadIdx.x] = v;
    __syncthreads();
    V sum = 0;
    for (int j = 0; j < LANES; ++j)
        sum += part[j];
    __syncthreads();
    return sum;
}

// A function of numbers is one and the same, with a lambda beside it or not.
__global__ void totals(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float s[LANES];
    const int lane = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < tiles; ++i) {
        s[lane] = x[i * LANES + lane];
        __syncthreads();
        auto weighted = [&](int j) { return s[j] * (float)(j ^ lane); };
        float v = 0.0f;
        for (int j = 0; j < LANES; ++j)
            v += weighted(j);
        sum += total<float>(v);
        __syncthreads();
    }
    out[blockIdx.x * LANES + lane] = sum;
}
