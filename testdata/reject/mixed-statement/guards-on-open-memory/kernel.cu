// What bounds a table lies in memory, by way of what the kernel gets.
#define SIDE 16

template <typename T> struct Table {
    const T *cells;
    const int *cols;
    int width;
    __host__ __device__ bool holds(int x) const { return x < *cols; }
};

template <typename T>
__global__ void by_pointer(const Table<T> query, float *best)
{
    __shared__ T q[SIDE];
    float sum = 0.f;
    for (int i = 0; i < query.width; i += SIDE) {
        q[threadIdx.x] = 0;
        if (i + threadIdx.x < *query.cols)
            q[threadIdx.x] = query.cells[i + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < SIDE; ++j)
            sum += q[j];
        __syncthreads();
    }
    best[threadIdx.x] = sum;
}

template <typename T>
__global__ void by_method(const Table<T> query, float *best)
{
    __shared__ T q[SIDE];
    float sum = 0.f;
    for (int i = 0; i < query.width; i += SIDE) {
        q[threadIdx.x] = 0;
        if (query.holds(i + threadIdx.x))
            q[threadIdx.x] = query.cells[i + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < SIDE; ++j)
            sum += q[j];
        __syncthreads();
    }
    best[threadIdx.x] = sum;
}

// Some other kind of it refers to memory.
template <typename T> struct Range {
    const T *cells;
    int cols;
};
template <> struct Range<float> {
    const float *cells;
    const int &cols;
};

template <typename T>
__global__ void specialized(const Range<T> query, float *best, int n)
{
    __shared__ T q[SIDE];
    float sum = 0.f;
    for (int i = 0; i < n; i += SIDE) {
        q[threadIdx.x] = 0;
        if (i + threadIdx.x < query.cols)
            q[threadIdx.x] = query.cells[i + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < SIDE; ++j)
            sum += q[j];
        __syncthreads();
    }
    best[threadIdx.x] = sum;
}

// Compute changes it.
template <typename T>
__global__ void shrinks(Range<T> query, float *best, int n)
{
    __shared__ T q[SIDE];
    float sum = 0.f;
    for (int i = 0; i < n; i += SIDE) {
        q[threadIdx.x] = 0;
        if (i + threadIdx.x < query.cols)
            q[threadIdx.x] = query.cells[i + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < SIDE; ++j)
            sum += q[j];
        query.cols -= sum > 3.f;
        __syncthreads();
    }
    best[threadIdx.x] = sum;
}
