// The storage is a class template's: the tile is a member of what the argument makes.
template <class T, int N>
struct Array {
    T cells[N];
    __device__ T &operator[](int i) { return cells[i]; }
};

template <int N>
struct Policy {
    struct Storage {
        float cells[N];
    };
    static constexpr int cells = N;
};

template <int SIZE>
__global__ void __launch_bounds__(256) of_array(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Array<float, SIZE> s;
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < SIZE; i += 256)
            s[i] = x[t * SIZE + i];
        __syncthreads();
        for (int k = 0; k < SIZE; k += 8)
            sum += s[(k + threadIdx.x) % SIZE];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
template __global__ void of_array<5632>(const float *, float *, int);

template <class P>
__global__ void __launch_bounds__(256) of_policy(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ typename P::Storage storage;
    float *s = storage.cells;
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        for (int i = threadIdx.x; i < P::cells; i += 256)
            s[i] = x[t * P::cells + i];
        __syncthreads();
        for (int k = 0; k < P::cells; k += 8)
            sum += s[(k + threadIdx.x) % P::cells];
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
template __global__ void of_policy<Policy<5632>>(const float *, float *, int);
