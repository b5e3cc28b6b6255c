// What a template's arguments make of its variables and values: code that moves the tile which is
// loaded next, or another name for what says which one that is.
#define T 64

struct Flips {
    int &half;
    __device__ ~Flips() { half ^= 1; }
};

__device__ int counted[T];

struct Counts {
    int one = 1;
    __device__ Counts() { counted[threadIdx.x] ^= 1; }
};

struct Takes {
    int was;
    __device__ Takes(int &half) : was(half) { half ^= 1; }
};

struct Names {
    using reference = int &;
    int &half;
};

struct Plain {
    int was;
};

// A destructor.
template <class Value>
__global__ void ends(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    int half = 0;
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[(2 * t + half) * T + threadIdx.x];
        __syncthreads();
        Value value{half};
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
template __global__ void ends<Flips>(const float *, float *, int);

// A constructor without arguments.
template <class Value>
__global__ void begins(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[(2 * t + counted[threadIdx.x]) * T + threadIdx.x];
        __syncthreads();
        Value value;
        for (int j = 0; j < T; ++j)
            sum += s[j] * value.one;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
template __global__ void begins<Counts>(const float *, float *, int);

// A constructor that changes its argument, in a value of which a member is taken.
template <class Value>
__global__ void takes(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    int half = 0;
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[(2 * t + half) * T + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        sum += Value(half).was;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
template __global__ void takes<Takes>(const float *, float *, int);

// A type that is a reference.
template <class Value>
__global__ void refers(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    int half = 0;
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[(2 * t + half) * T + threadIdx.x];
        __syncthreads();
        typename Value::reference other = half;
        other ^= 1;
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
template __global__ void refers<Names>(const float *, float *, int);

// A member that is a reference.
template <class Value>
__global__ void names(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    int half = 0;
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[(2 * t + half) * T + threadIdx.x];
        __syncthreads();
        Value value{half};
        value.half ^= 1;
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
template __global__ void names<Names>(const float *, float *, int);

// The same, of what compute changes under its own name.
template <class Value>
__global__ void reads(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    int half = 0;
    Value value{half};
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[(2 * t + value.half) * T + threadIdx.x];
        __syncthreads();
        half ^= 1;
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
template __global__ void reads<Names>(const float *, float *, int);

// The load asks for a value that compute has a say in.
template <class Value>
__global__ void asks(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    int half = 0;
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[(2 * t + Value{half}.was) * T + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j];
        half = sum > 0.f;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
template __global__ void asks<Plain>(const float *, float *, int);

// What is plain does no harm.
template <class Value>
__global__ void plain(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[Value{t}.was * T + threadIdx.x];
        __syncthreads();
        Value value{t};
        for (int j = 0; j < T; ++j)
            sum += s[j] * value.was;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
template __global__ void plain<Plain>(const float *, float *, int);
