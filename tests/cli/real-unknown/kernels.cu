struct Loader {
    const float *p;
    __device__ float get(int i) const { return p[i]; }
};

// No instantiation says how large the elements are.
template <typename scalar_t>
__global__ void open_size(const scalar_t *__restrict__ a, scalar_t *__restrict__ o, int n)
{
    __shared__ scalar_t s[16];
    scalar_t sum = 0;
    for (int t = 0; t < n; t += 16) {
        s[threadIdx.x] = t + threadIdx.x < n ? a[t + threadIdx.x] : scalar_t(0);
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            sum += s[i];
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

// Nor whether the two types are one.
template <typename Q>
__global__ void open_type(const typename Q::element *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[16];
    float sum = 0;
    for (int t = 0; t < n; t += 16) {
        s[threadIdx.x] = a[t + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            sum += s[i];
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

// A pointer that was moved inside a record.
__global__ void unfollowed(Loader given, float *__restrict__ o, int n)
{
    __shared__ float s[64];
    Loader l = given;
    l.p += 3;
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
        s[threadIdx.x] = l.get(t + threadIdx.x);
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i];
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

// An address made of a number.
__global__ void made_up(const float *a, unsigned long long where, int n)
{
    __shared__ float s[64];
    for (int t = 0; t < n; t += 64) {
        s[threadIdx.x] = a[t + threadIdx.x];
        __syncthreads();
        float *to = *reinterpret_cast<float **>(where);
        to[t] = s[0];
        __syncthreads();
    }
}

// What a range-based loop calls is nothing that the text says.
__global__ void ranged(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[64];
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
        s[threadIdx.x] = a[t + threadIdx.x];
        __syncthreads();
        for (const float &v : s)
            sum += v;
        __syncthreads();
    }
    o[threadIdx.x] = sum;
}

// The outer loop only repeats the inner ones, whatever becomes of them.
__global__ void rows(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ y, int r, int n)
{
    __shared__ float buf[32];
    __shared__ float red[32];
    for (int i = 0; i < r; ++i) {
        const float *p = x + (blockIdx.x * r + i) * n;
        float most = -1e30f;
        for (int t = 0; t < n; t += 32) {
            buf[threadIdx.x] = t + (int)threadIdx.x < n ? p[t + threadIdx.x] : -1e30f;
            __syncthreads();
            for (int k = 0; k < 32; ++k)
                most = fmaxf(most, buf[(k + threadIdx.x) & 31]);
            __syncthreads();
        }
        red[threadIdx.x] = most;
        __syncthreads();
        most = red[31 - threadIdx.x];
        float s = 0.f;
        for (int t = 0; t < n; t += 32) {
            buf[threadIdx.x] = t + (int)threadIdx.x < n ? p[t + threadIdx.x] * w[t + threadIdx.x] : -1e30f;
            __syncthreads();
            for (int k = 0; k < 32; ++k)
                s += expf(buf[k] - most);
            __syncthreads();
        }
        if (threadIdx.x == 0)
            y[blockIdx.x * r + i] = s;
    }
}
