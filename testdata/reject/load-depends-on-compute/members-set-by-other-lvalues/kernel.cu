// What the loads ask of an object is set under other names than its own: behind a comma, by a branch,
// through a cast, by a reference that a function, a list or a conversion gives.
struct Rows {
    const float *from;
    int row, used;

    __device__ int at() const { return row; }
    __device__ int &place() { return row; }
    __device__ auto deduced() -> int & { return row; }
    __device__ operator int &() { return row; }
    __device__ void behind_a_comma(int by) { (++used, row) += by; }
    __device__ void of_two(int by) { (by > 2 ? row : used) += by; }
    __device__ void as_unsigned(int by) { (unsigned &)row += by; }
    __device__ void of_a_constant(int by) const { const_cast<int &>(row) += by; }
};

struct Named {
    int &row;
    int by;
};

__global__ void by_reference(const float *__restrict__ from, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    Rows rows = {from, 0, 0};
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[min(rows.at(), tiles) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        int by = part[0] > 0.f ? 2 : 1;
        rows.place() += by;
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

__global__ void by_deduced_reference(const float *__restrict__ from, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    Rows rows = {from, 0, 0};
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[min(rows.at(), tiles) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        int by = part[0] > 0.f ? 2 : 1;
        rows.deduced() += by;
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

__global__ void by_conversion(const float *__restrict__ from, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    Rows rows = {from, 0, 0};
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[min(rows.at(), tiles) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        int by = part[0] > 0.f ? 2 : 1;
        static_cast<int &>(rows) += by;
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

__global__ void behind_a_comma(const float *__restrict__ from, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    Rows rows = {from, 0, 0};
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[min(rows.at(), tiles) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        int by = part[0] > 0.f ? 2 : 1;
        rows.behind_a_comma(by);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

__global__ void by_a_branch(const float *__restrict__ from, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    Rows rows = {from, 0, 0};
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[min(rows.at(), tiles) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        int by = part[0] > 0.f ? 2 : 1;
        rows.of_two(by);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

__global__ void by_a_cast(const float *__restrict__ from, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    Rows rows = {from, 0, 0};
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[min(rows.at(), tiles) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        int by = part[0] > 0.f ? 2 : 1;
        rows.as_unsigned(by);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

__global__ void of_a_constant(const float *__restrict__ from, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    Rows rows = {from, 0, 0};
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[min(rows.at(), tiles) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        int by = part[0] > 0.f ? 2 : 1;
        rows.of_a_constant(by);
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

__global__ void named_by_a_list(const float *__restrict__ from, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    Rows rows = {from, 0, 0};
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[min(rows.row, tiles) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        int by = part[0] > 0.f ? 2 : 1;
        Named named{rows.row, by};
        named.row += named.by;
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}

__global__ void member_behind_a_comma(const float *__restrict__ from, float *__restrict__ sums, int tiles)
{
    __shared__ float part[64];
    Rows rows = {from, 0, 0};
    float sum = 0.f;
    for (int t = 0; t < tiles; ++t) {
        part[threadIdx.x] = from[min(rows.row, tiles) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += part[k] * (k + threadIdx.x);
        int by = part[0] > 0.f ? 2 : 1;
        (sum += 1.f, rows.row) += by;
        __syncthreads();
    }
    sums[threadIdx.x] = sum;
}
