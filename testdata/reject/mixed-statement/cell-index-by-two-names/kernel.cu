#define T 32

// The index of both stores is set between them: by a reference, which brings it back to
// the cell that it was, by a lambda.
__global__ void by_reference(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        int at = t;
        int &next = at;
        s[at] = x[k * T + t];
        at += T;
        next -= T;
        s[at] = x[k * T + t + 40];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * (j ^ t);
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void by_lambda(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float s[2 * T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        int at = t;
        auto go_on = [&] { at += T; };
        s[at] = x[k * T + t];
        go_on();
        s[at] = x[k * T + t + 40];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * s[j + T];
        __syncthreads();
    }
    out[t] = sum;
}

// A step of its own name.
__global__ void by_name(const float *__restrict__ x, float *__restrict__ out, int tiles)
{
    __shared__ float s[2 * T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int k = 0; k < tiles; ++k) {
        int at = t;
        s[at] = x[k * T + t];
        at += T;
        s[at] = x[k * T + t + 40];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j] * s[j + T];
        __syncthreads();
    }
    out[t] = sum;
}
