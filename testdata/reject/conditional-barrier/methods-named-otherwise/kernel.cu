// What methods that wait say would mean something else where they are called: another overload, a member's name, a private one.
struct Signal {
    float *s;
    const float *g;
    int n;
    static __device__ int min(int a, int b) { return a + b; }
    __device__ const float *begin() const { return g; }
    __device__ const float *begin() { return g + 1; }
    __device__ void own_min(int k) { s[threadIdx.x] = g[min(k, n) + threadIdx.x]; __syncthreads(); }
    __device__ void overloaded(int k) const { s[threadIdx.x] = begin()[k * 64 + threadIdx.x]; __syncthreads(); }
    __device__ void hidden(int k) { s[threadIdx.x] = secret[k * 64 + threadIdx.x]; __syncthreads(); }
    __device__ Signal(float *s, const float *g, int n) : s(s), g(g), n(n), secret(g) {}
private:
    const float *secret;
};

__global__ void a(const float *__restrict__ g, float *__restrict__ o, int n)
{
    __shared__ float s[64];
    Signal sig(s, g, n);
    float sum = 0;
    for (int k = 0; k < n; ++k) {
        sig.own_min(k);
        for (int i = 0; i < 64; ++i) sum += s[i] * i;
        __syncthreads();
    }
    for (int k = 0; k < n; ++k) {
        sig.overloaded(k);
        for (int i = 0; i < 64; ++i) sum += s[i] * i;
        __syncthreads();
    }
    for (int k = 0; k < n; ++k) {
        sig.hidden(k);
        for (int i = 0; i < 64; ++i) sum += s[i] * i;
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

template <int N> struct Level : Level<N - 1> {
    __device__ Level(float *s, const float *g) : Level<N - 1>(s, g) {}
    __device__ void load(int k) { this->s[threadIdx.x] = this->g[k * 64 + threadIdx.x] * N; __syncthreads(); }
    __device__ float run(int n)
    {
        float sum = 0;
        for (int k = 0; k < n; ++k) {
            Level<N - 1>::load(k);
            for (int i = 0; i < 64; ++i) sum += this->s[i] * i;
            __syncthreads();
        }
        return sum;
    }
};
template <> struct Level<0> {
    float *s;
    const float *g;
    __device__ Level(float *s, const float *g) : s(s), g(g) {}
};

__global__ void b(const float *__restrict__ g, float *__restrict__ o, int n)
{
    __shared__ float s[64];
    Level<2> level(s, g);
    o[threadIdx.x] = level.run(n);
}
