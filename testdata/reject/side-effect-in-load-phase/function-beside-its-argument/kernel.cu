// What a template calls may be found beside the type that it is used with, where
// the template itself sees another function of that name.
template <class V>
__device__ float weight(const V *v)
{
    return *v;
}

template <class V>
__global__ void smooth(const V *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = weight(&from[i * 64 + t]);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        __syncthreads();
    }
    to[t] = sum;
}

namespace survey {
struct Sample {
    float value;
};
__device__ int asked;
__device__ float weight(const Sample *s)
{
    asked = asked + 1;
    return s->value;
}
} // namespace survey

template <class V>
__device__ float height(const V *v)
{
    return *v;
}

template <class V>
__global__ void level(const V *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = height(&from[i * 64 + t]);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        __syncthreads();
    }
    to[t] = sum;
}

namespace elsewhere {
struct Sample;
__device__ float height(const Sample *s);
struct Sample {
    float value;
};
} // namespace elsewhere

template <class V>
__device__ float depth(const V *v)
{
    return *v;
}

template <class V>
__global__ void sink(const V *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = depth(&from[i * 64 + t]);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        __syncthreads();
    }
    to[t] = sum;
}

namespace survey {
__device__ float depth(const Sample *s)
{
    return 0.5f * s->value;
}
} // namespace survey

void run(const float *x, const survey::Sample *y, const elsewhere::Sample *z,
         float *to, int n)
{
    smooth<<<1, 64>>>(x, to, n);
    smooth<<<1, 64>>>(y, to, n);
    level<<<1, 64>>>(x, to, n);
    level<<<1, 64>>>(z, to, n);
    sink<<<1, 64>>>(x, to, n);
    sink<<<1, 64>>>(y, to, n);
}
