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

__device__ int halves(int n, int depth);

/* Made by what it is made from: either may ask. */
struct halved {
    int rounds;

    halved() = default;
    __device__ halved(int n, int depth) : rounds(depth ? halves(n, depth - 1) : n) {}
};

__device__ int halves(int n, int depth)
{
    return halved(n / 2, depth).rounds + (threadIdx.x < n % 2);
}

__global__ void by_circles(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    const halved part(n, 3);
    for (int t = 0; t < part.rounds; ++t) {
        tile[threadIdx.x] = in[t * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

struct shared_out : share {
    __device__ shared_out(int n) : share(n) {}
};

__global__ void by_its_base(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    const shared_out mine(n);
    for (int t = 0; t < mine.rounds; ++t) {
        tile[threadIdx.x] = in[t * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

struct whole_share {
    int rounds;

    whole_share() = default;
    __device__ whole_share(int n) : rounds((n + 63) / 64) {}
};

__device__ inline int rounds_of(int n) { return whole_share(n).rounds; }

struct plan {
    int rounds;

    plan() = default;
    __device__ plan(int n) : rounds(rounds_of(n)) {}
};

__global__ void by_what_is_alike(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    const plan of(n);
    for (int t = 0; t < of.rounds; ++t) {
        tile[threadIdx.x] = in[t * 64 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
