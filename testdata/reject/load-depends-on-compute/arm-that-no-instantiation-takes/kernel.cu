// The arms of `if constexpr` that all instantiations in sight discard are text all the same: another one takes them.
template <bool FEEDBACK>
__global__ void filter(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    int skip = 0;
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[(t + skip) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        if constexpr (FEEDBACK)
            skip = sum > 2.f ? 2 : 1;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

template __global__ void filter<false>(const float *, float *, int);

template <int MODE>
__device__ void settle(int &skip, float sum)
{
    if constexpr (MODE == 1)
        skip = 0;
    else if constexpr (MODE == 2)
        skip = sum > 2.f ? 2 : 1;
}

template <int MODE>
__global__ void filter_by_helper(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    int skip = 0;
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[(t + skip) * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        settle<MODE>(skip, sum);
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

template __global__ void filter_by_helper<0>(const float *, float *, int);

// An arm that only scales may be taken or not.
template <bool SCALED>
__global__ void scaled(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    float sum = 0.f;
    for (int t = 0; t < n; ++t) {
        s[threadIdx.x] = x[t * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; ++k)
            sum += s[k] * (k - (int)threadIdx.x);
        if constexpr (SCALED)
            sum *= 0.5f;
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

template __global__ void scaled<false>(const float *, float *, int);
