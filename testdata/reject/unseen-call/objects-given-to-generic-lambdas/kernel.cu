// Generic lambdas that are handed objects: what their members are, and what their methods do, the lambda's own text
// does not say. Numbers are numbers.
template <class T>
struct Slot {
    T &of;
};

struct Mover {
    int *at;
    __device__ void operator()(float by) const { *at += by > 2.f ? 2 : 1; }
    __device__ void move(float by) const { *at += by > 2.f ? 2 : 1; }
};

__global__ void by_member(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    int at = 0;
    auto add = [](auto slot, float by) { slot.of += by > 2.f ? 2 : 1; };
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[at * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        add(Slot<int>{at}, sum);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void by_method(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    int at = 0;
    auto add = [](auto mover, float by) { mover.move(by); };
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[at * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        add(Mover{&at}, sum);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

__global__ void of_numbers(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    auto add = [](auto &to, auto what, int times) { to += what * times; };
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            add(sum, s[k], k - (int)threadIdx.x);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
