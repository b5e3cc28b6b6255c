// Where a static number lies is asked for by an address, a reference, a helper and a choice of two: each copy of the text would have its own.
struct Known { const float &value; };

__device__ const float *place_of(const float &value) { return &value; }

__global__ void by_address(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[64];
    const float *last = nullptr;
    int same = 0;
    for (int k = 0; k < n; ++k) {
        static constexpr float scale = 3.0f;
        same += last == &scale;
        last = &scale;
        s[threadIdx.x] = a[k * 64 + threadIdx.x] * scale;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            same += s[i] > 0;
        __syncthreads();
    }
    o[threadIdx.x] = same;
}

__global__ void by_reference(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[64];
    const float *last = nullptr;
    int same = 0;
    for (int k = 0; k < n; ++k) {
        static constexpr float scale[2] = {3.0f, 4.0f};
        const float &second = scale[1];
        same += last == &second;
        last = &second;
        s[threadIdx.x] = a[k * 64 + threadIdx.x] * scale[0];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            same += s[i] > 0;
        __syncthreads();
    }
    o[threadIdx.x] = same;
}

__global__ void by_helper(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[64];
    const float *last = nullptr;
    int same = 0;
    for (int k = 0; k < n; ++k) {
        static constexpr float scale = 3.0f;
        const float *here = place_of(scale);
        same += last == here;
        last = here;
        s[threadIdx.x] = a[k * 64 + threadIdx.x] * scale;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            same += s[i] > 0;
        __syncthreads();
    }
    o[threadIdx.x] = same;
}

__global__ void by_choice(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[64];
    const int *last = nullptr;
    int same = 0;
    for (int k = 0; k < n; ++k) {
        static constexpr int odd = 3, even = 2;
        const int *here = &(k & 1 ? odd : even);
        same += last == here;
        last = here;
        s[threadIdx.x] = a[k * 64 + threadIdx.x] * odd;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            same += s[i] > 0;
        __syncthreads();
    }
    o[threadIdx.x] = same;
}

__global__ void by_member(const float *__restrict__ a, float *__restrict__ o, int n)
{
    __shared__ float s[64];
    const float *last = nullptr;
    int same = 0;
    for (int k = 0; k < n; ++k) {
        static constexpr float scale = 3.0f;
        Known known{scale};
        same += last == &known.value;
        last = &known.value;
        s[threadIdx.x] = a[k * 64 + threadIdx.x] * scale;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            same += s[i] > 0;
        __syncthreads();
    }
    o[threadIdx.x] = same;
}
