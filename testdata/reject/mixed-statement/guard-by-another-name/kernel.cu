// What a guard asks is changed under another name before the tile is used: the store
// that follows compute would ask it anew.
#define LANES 32

struct Part {
    int rows, columns;
};

__global__ void by_reference(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float s[LANES];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int b = 0; b < n; b += LANES) {
        Part part;
        part.rows = min(LANES, n - b);
        const int &rows = part.rows;
        if (t < rows)
            s[t] = x[b + t];
        __syncthreads();
        part.rows = LANES;
        for (int j = 0; j < rows; ++j)
            sum += s[j] * (j + t);
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void by_pointer(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float s[LANES];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int b = 0; b < n; b += LANES) {
        Part part;
        part.rows = min(LANES, n - b);
        Part *at = &part;
        if (t < at->rows)
            s[t] = x[b + t];
        __syncthreads();
        part.rows = LANES;
        for (int j = 0; j < at->rows; ++j)
            sum += s[j] * (j + t);
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void by_lambda(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float s[LANES];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int b = 0; b < n; b += LANES) {
        Part part;
        part.rows = min(LANES, n - b);
        auto rows = [&part] { return part.rows; };
        if (t < rows())
            s[t] = x[b + t];
        __syncthreads();
        part.rows = LANES;
        for (int j = 0; j < rows(); ++j)
            sum += s[j] * (j + t);
        __syncthreads();
    }
    out[t] = sum;
}

// As it is when the guard is asked, so it stays.
__global__ void stays(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float s[LANES];
    const int t = threadIdx.x;
    float sum = 0.f;
    for (int b = 0; b < n; b += LANES) {
        Part part;
        part.rows = min(LANES, n - b);
        const int &rows = part.rows;
        if (t < rows)
            s[t] = x[b + t];
        __syncthreads();
        for (int j = 0; j < rows; ++j)
            sum += s[j] * (j + t);
        __syncthreads();
    }
    out[t] = sum;
}
