// A cursor that reads memory to move on: for the loads alone it may, where compute asks it, or
// moves it on by what it found, it may not.
struct Cursor {
    const int *next;
    int at;
    __device__ Cursor(const int *n) : next(n), at(0) {}
    __device__ void hop() { at = next[at]; }
    __device__ float read(const float *p, int i) const { return p[at * 32 + i]; }
};

__global__ void alone(const int *__restrict__ next, const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[32];
    Cursor c(next);
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        c.hop();
        tile[threadIdx.x] = c.read(in, threadIdx.x);
        __syncthreads();
        for (int j = 0; j < 32; ++j)
            sum += tile[j] * j;
        __syncthreads();
    }
    out[threadIdx.x] = sum + c.at;
}

__global__ void asked(const int *__restrict__ next, const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[32];
    Cursor c(next);
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        c.hop();
        tile[threadIdx.x] = c.read(in, threadIdx.x);
        __syncthreads();
        for (int j = 0; j < 32; ++j)
            sum += c.at + tile[j] * j;
        __syncthreads();
    }
    out[threadIdx.x] = sum + c.at;
}

__global__ void moved(const int *__restrict__ next, const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[32];
    Cursor c(next);
    float sum = 0;
    for (int t = 0; t < n; ++t) {
        c.hop();
        tile[threadIdx.x] = c.read(in, threadIdx.x);
        __syncthreads();
        for (int j = 0; j < 32; ++j)
            sum += tile[j] * j;
        if (tile[3] > 0.5f)
            c.at = 2;
        __syncthreads();
    }
    out[threadIdx.x] = sum + c.at;
}
