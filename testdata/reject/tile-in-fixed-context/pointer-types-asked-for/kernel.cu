// The type of a pointer is asked for where its text would be another type: beside a const of the pointer's own, for two variables, and for an alias of two.
__device__ int taken(float *) { return 1; }
__device__ int taken(const float *) { return 2; }

__global__ void own_const(float *a, float *out, int n)
{
    __shared__ float s[64];
    float *row = a + threadIdx.x, sum = 0.0f;
    float *p = row;
    for (int k = 0; k < n; ++k) {
        const decltype(p) here = p;
        s[threadIdx.x] = *here * taken(here);
        p += 64;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (i ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void two_at_once(const int *a, float *out, int n)
{
    __shared__ float s[64];
    float sum = 0.0f;
    const int *p = a + threadIdx.x;
    for (int k = 0; k < n; ++k) {
        decltype(p) here = p, none = 0;
        s[threadIdx.x] = *here * sizeof(none);
        p += 64;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (i ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void two_aliases(const int *a, float *out, int n)
{
    __shared__ float s[64];
    float sum = 0.0f;
    const int *p = a + threadIdx.x;
    for (int k = 0; k < n; ++k) {
        typedef decltype(p) place, other;
        place here = p;
        s[threadIdx.x] = *here * sizeof(other);
        p += 64;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += s[i] * (i ^ threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
