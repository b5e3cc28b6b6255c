// A span over flags that another kernel raises: the element type that its argument brings is volatile, and the
// span's subscript gives it back by reference.
template <class T>
struct Span {
    T *first;
    int count;
    __device__ T &operator[](int i) const { return first[i]; }
};

__global__ void consume(Span<const float> feed, Span<volatile unsigned char> ready, Span<float> out)
{
    __shared__ float chunk[128];
    float peak = 0.f;
    for (int c = 0; c < ready.count; ++c) {
        if (threadIdx.x == 0)
            while (!ready[c]) {
            }
        __syncthreads();
        chunk[threadIdx.x] = feed[c * 128 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            peak = fmaxf(peak, chunk[i] * (i ^ threadIdx.x));
        __syncthreads();
    }
    out[threadIdx.x] = peak;
}

// The same class over plain numbers.
__global__ void consume_plain(Span<const float> feed, float *__restrict__ out, int chunks)
{
    __shared__ float chunk[128];
    float peak = 0.f;
    for (int c = 0; c < chunks; ++c) {
        chunk[threadIdx.x] = feed[c * 128 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 128; ++i)
            peak = fmaxf(peak, chunk[i] * (i ^ threadIdx.x));
        __syncthreads();
    }
    out[threadIdx.x] = peak;
}
