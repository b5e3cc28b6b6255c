// A conversion to a reference, by what a template is given, moves the tile that is loaded next.
#define T 64

struct Leads {
    int *half;
    __device__ operator int &() { return *half; }
};

template <class Value>
__global__ void leads(const float *__restrict__ x, float *__restrict__ y, int tiles)
{
    __shared__ float s[T];
    float sum = 0.f;
    int half = 0;
    Value value{&half};
    for (int t = 0; t < tiles; ++t) {
        s[threadIdx.x] = x[(2 * t + half) * T + threadIdx.x];
        __syncthreads();
        int &other = value;
        other ^= 1;
        for (int j = 0; j < T; ++j)
            sum += s[j];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
template __global__ void leads<Leads>(const float *, float *, int);
