// Objects whose pointers lead elsewhere than to what they are made from: the loop stores there.
constexpr int T = 64;
__device__ float table[4096];

// The constructor takes another place than the one that it is given.
struct Stubborn {
    const float *p;
    __device__ explicit Stubborn(const float *given) : p(table) { }
    __device__ float at(int i) const { return p[i]; }
};

// ... for some threads.
struct Choosy {
    const float *p, *other;
    __device__ Choosy(const float *given, const float *instead) : p(given), other(instead)
    {
        if (threadIdx.x > 32)
            p = instead;
    }
    __device__ float at(int i) const { return p[i]; }
};

// ... by way of a function that is handed the member.
__device__ void redirect(const float *&p) { p = table; }
struct Redirected {
    const float *p;
    __device__ explicit Redirected(const float *given) : p(given) { redirect(p); }
    __device__ float at(int i) const { return p[i]; }
};

// The place of the pointer is known as well.
struct Twofold {
    const float *p, **second;
    __device__ explicit Twofold(const float *given) : p(given), second(&p) { }
    __device__ float at(int i) const { return p[i]; }
};

// What the other pointer of an argument leads to.
struct Pair {
    const float *first;
    float *second;
};
struct OfPair {
    const float *p;
    __device__ explicit OfPair(const Pair &pair) : p(pair.second) { }
    __device__ float at(int i) const { return p[i]; }
};

// A list of members gives the one that is read last.
struct Listed {
    int n;
    float *out;
    const float *p;
    __device__ float at(int i) const { return p[i]; }
};

// Braces may be left out: the third value is none of the third member.
struct Rows {
    const float *rows[2];
    const float *p;
    __device__ float at(int i) const { return p[i]; }
};

// An argument that is not given.
struct Defaulted {
    const float *p;
    __device__ explicit Defaulted(int, const float *given = table) : p(given) { }
    __device__ float at(int i) const { return p[i]; }
};

__global__ void stubborn(const float *__restrict__ x, float *y, int n)
{
    __shared__ float tile[T];
    Stubborn source(x);
    float sum = 0.0f;
    for (int k = 0; k < n; k += T) {
        tile[threadIdx.x] = source.at(k + threadIdx.x);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x];
        table[k + T + threadIdx.x] = sum;
        __syncthreads();
    }
}

__global__ void choosy(const float *__restrict__ x, float *y, int n)
{
    __shared__ float tile[T];
    Choosy source(x, y);
    float sum = 0.0f;
    for (int k = 0; k < n; k += T) {
        tile[threadIdx.x] = source.at(k + threadIdx.x);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x];
        y[k + T + threadIdx.x] = sum;
        __syncthreads();
    }
}

__global__ void redirected(const float *__restrict__ x, float *y, int n)
{
    __shared__ float tile[T];
    Redirected source(x);
    float sum = 0.0f;
    for (int k = 0; k < n; k += T) {
        tile[threadIdx.x] = source.at(k + threadIdx.x);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x];
        table[k + T + threadIdx.x] = sum;
        __syncthreads();
    }
}

__global__ void twofold(const float *__restrict__ x, float *y, int n)
{
    __shared__ float tile[T];
    Twofold source(x);
    *source.second = y;
    float sum = 0.0f;
    for (int k = 0; k < n; k += T) {
        tile[threadIdx.x] = source.at(k + threadIdx.x);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x];
        y[k + T + threadIdx.x] = sum;
        __syncthreads();
    }
}

__global__ void of_pair(const float *__restrict__ x, float *y, int n)
{
    __shared__ float tile[T];
    OfPair source(Pair{x, y});
    float sum = 0.0f;
    for (int k = 0; k < n; k += T) {
        tile[threadIdx.x] = source.at(k + threadIdx.x);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x];
        y[k + T + threadIdx.x] = sum;
        __syncthreads();
    }
}

__global__ void listed(const float *__restrict__ x, float *y, int n)
{
    __shared__ float tile[T];
    Listed source = {n, y, y};
    float sum = 0.0f;
    for (int k = 0; k < n; k += T) {
        tile[threadIdx.x] = source.at(k + threadIdx.x);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x];
        y[k + T + threadIdx.x] = sum;
        __syncthreads();
    }
}

__global__ void rows(const float *__restrict__ x, float *y, int n)
{
    __shared__ float tile[T];
    Rows source = {x, x, y};
    float sum = 0.0f;
    for (int k = 0; k < n; k += T) {
        tile[threadIdx.x] = source.at(k + threadIdx.x);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x];
        y[k + T + threadIdx.x] = sum;
        __syncthreads();
    }
}

__global__ void defaulted(const float *__restrict__ x, float *y, int n)
{
    __shared__ float tile[T];
    Defaulted source(n);
    float sum = 0.0f;
    for (int k = 0; k < n; k += T) {
        tile[threadIdx.x] = source.at(k + threadIdx.x);
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x];
        table[k + T + threadIdx.x] = sum;
        __syncthreads();
    }
}

__global__ void set_apart(const float *__restrict__ x, float *y, int n)
{
    __shared__ float tile[T];
    Pair source = {x, y};
    Pair &again = source;
    again.first = y;
    float sum = 0.0f;
    for (int k = 0; k < n; k += T) {
        tile[threadIdx.x] = source.first[k + threadIdx.x];
        __syncthreads();
        sum += tile[T - 1 - threadIdx.x];
        y[k + T + threadIdx.x] = sum;
        __syncthreads();
    }
}
