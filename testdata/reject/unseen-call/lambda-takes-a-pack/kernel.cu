// Which of a lambda's arguments a pack stands for is not followed: this one moves the tile that is
// loaded next.
#define T 64

__global__ void flipped(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    int half = 0;
    auto flip = [](auto &&...flag) { ((flag ^= 1), ...); };
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[(2 * t + half) * T + threadIdx.x];
        __syncthreads();
        flip(half);
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// Arguments that are left out are numbers.
__global__ void kept(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    auto add = [](float &to, float v, float by = 0.5f) { to = by * to + v; };
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[t * T + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            add(sum, s[j]);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
