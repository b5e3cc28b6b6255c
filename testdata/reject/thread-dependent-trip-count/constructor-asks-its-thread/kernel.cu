// The constructors set a member from their argument, by what they call: that may be another
// number in each thread, and is none in the last kernel.
__device__ inline int own_share(int n) { return n / 64 + (threadIdx.x < n % 64); }

struct share {
    int rounds;

    share() = default;
    __device__ share(int n) : rounds(own_share(n)) {}
};

__global__ void by_a_function(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    share mine(n);
    for (int t = 0; t < mine.rounds; ++t) {
        tile[threadIdx.x] = in[t * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

struct moment {
    int rounds;

    moment() = default;
    __device__ moment(int n) : rounds(n - (clock() & 1)) {}
};

__global__ void by_the_clock(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    const moment now = n;
    for (int t = 0; t < now.rounds; ++t) {
        tile[threadIdx.x] = in[t * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

struct bits {
    int rounds;

    bits() = default;
    __device__ bits(int n) : rounds(32 - __clz(n)) {}
};

__global__ void by_its_bits(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    bits of{n};
    for (int t = 0; t < of.rounds; ++t) {
        tile[threadIdx.x] = in[t * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
