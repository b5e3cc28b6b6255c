// Where the object that is copied is no constant, the template is preferred to the copy
// constructor, and counts: a value that waits in registers would be copied by it.
__device__ int copies;

struct sample {
    float x, y;

    sample() = default;
    sample(const sample &) = default;
    sample &operator=(const sample &) = default;
    template <class Other>
    __device__ sample(Other &&other) : x(other.x), y(other.y) { atomicAdd(&copies, 1); }
};

struct weight {
    float x, y;

    weight() = default;
    weight(const weight &) = default;
    weight &operator=(const weight &) = default;
    template <class Other> __device__ weight &operator=(Other &&other)
    {
        atomicAdd(&copies, 1);
        x = other.x, y = other.y;
        return *this;
    }
};

template <class Value>
__global__ void sums(const Value *__restrict__ values, const int *__restrict__ ids,
                     float *__restrict__ out, int n)
{
    __shared__ Value tile[64];
    float sum = 0;
    for (int b = 0; b < n; b += 64) {
        if (b + threadIdx.x < n) {
            const Value v = values[ids[b + threadIdx.x]];
            tile[threadIdx.x] = v;
        }
        __syncthreads();
        for (int j = 0; j < min(64, n - b); ++j)
            sum += tile[j].x * tile[0].y;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

template __global__ void sums<weight>(const weight *, const int *, float *, int);
template __global__ void sums<sample>(const sample *, const int *, float *, int);
