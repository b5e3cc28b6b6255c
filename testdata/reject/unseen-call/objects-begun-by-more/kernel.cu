// What begins an object is seen at its initialiser only where that is all: not where a base or
// a member counts, another class is converted, or the copy counts.
__device__ int made;

struct tick {
    int at;

    __device__ tick() : at(atomicAdd(&made, 1)) {}
};

struct pair {
    float x, y;

    __device__ pair() : x(0), y(0) {}
    __device__ pair(float a, float b) : x(a), y(b) {}
};

struct counted {
    pair p;
    tick t;

    __device__ counted(float a) : p(a, a) {}
};

struct based : tick {
    pair p;

    __device__ based(float a) : p(a, a) {}
};

struct copied {
    pair p;

    __device__ copied(float a) : p(a, a) {}
    __device__ copied(const copied &o) : p(o.p) { atomicAdd(&made, 1); }
};

struct plain {
    pair p[2];

    __device__ plain() {}
    __device__ plain(float a) : p{pair(a, a), pair(a, a)} {}
};

struct origin {
    float a;

    __device__ operator plain() const
    {
        atomicAdd(&made, 1);
        return plain(a);
    }
};

struct podded {
    float x;

    podded() = default;
    template <typename U>
    __device__ podded(U u) : x(u)
    {
        atomicAdd(&made, 1);
    }
};

struct of_podded {
    podded p;

    __device__ of_podded(float a) : p(a) {}
    __device__ of_podded(float a, float b) : p{a + b} {}
    __device__ of_podded(int a) { p = a; }
};

__device__ inline counted count_of(float a) { return counted(a); }
__device__ inline based based_on(float a) { return based(a); }
__device__ inline plain plain_of(float a) { return plain(a); }
__device__ inline origin origin_of(float a) { return origin{a}; }

__global__ void a_value(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
        const float v = in[t + threadIdx.x];
        plain word = plain_of(v);
        tile[threadIdx.x] = word.p[1].x;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void a_member_counts(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
        const float v = in[t + threadIdx.x];
        counted word = count_of(v);
        tile[threadIdx.x] = word.p.x;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void a_base_counts(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
        const float v = in[t + threadIdx.x];
        based word = based_on(v);
        tile[threadIdx.x] = word.p.x;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void the_copy_counts(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    const copied first(in[threadIdx.x]);
    for (int t = 0; t < n; t += 64) {
        copied word = first;
        tile[threadIdx.x] = in[t + threadIdx.x] + word.p.x;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void a_conversion_counts(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
        const float v = in[t + threadIdx.x];
        plain word = origin_of(v);
        tile[threadIdx.x] = word.p[0].x;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void a_template_counts(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
        const float v = in[t + threadIdx.x];
        of_podded word(v);
        tile[threadIdx.x] = word.p.x;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void a_template_in_braces_counts(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
        const float v = in[t + threadIdx.x];
        of_podded word(v, 1.f);
        tile[threadIdx.x] = word.p.x;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

__global__ void an_assignment_counts(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[64];
    float sum = 0;
    for (int t = 0; t < n; t += 64) {
        const float v = in[t + threadIdx.x];
        of_podded word = of_podded(int(v));
        tile[threadIdx.x] = word.p.x;
        __syncthreads();
        for (int i = 0; i < 64; ++i)
            sum += tile[i] * (i + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
