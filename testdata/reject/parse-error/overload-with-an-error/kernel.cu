// What is called is the second one, which asks for a later C++ than the file is read
// with: of what clang does not understand it shows nothing, and the first is left.
template <class X> concept word = sizeof(X) == 4;

__device__ void up(int first, double sum) {}
__device__ void up(word auto &first, float sum) { first += sum > 4 ? 3 : 1; }

struct cell {
    float value;
    lost_t more;
};

// The name of a helper in a declaration of another namespace's, and of a method whose
// body alone has an error, is nobody's loss.
namespace other {
lost_t shown(lost_t value);
}
struct pool {
    __host__ int size() { return lost_size(); }
};
__device__ float seen(float value) { return value * 2; }

__global__ void walk(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float s[64];
    float sum = 0;
    int first = 0;
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[first + t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * k;
        up(first, sum);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void cells(const cell *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ cell s[64];
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k].value * k;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void plain(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float s[64];
    float sum = 0;
    pool unused;
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += seen(s[k]) * k;
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
