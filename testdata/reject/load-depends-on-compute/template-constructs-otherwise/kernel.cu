// In a template, what a class is made from says nothing yet of the constructor: that of a specialized
// class, or one that is defined apart, takes another place.
__device__ float table[4096];

template <class V>
struct Source {
    const V *p;
    __device__ Source(const V *from) : p(from) { }
    __device__ V at(int i) const { return p[i]; }
};
template <>
struct Source<float> {
    const float *p;
    __device__ Source(const float *) : p(table) { }
    __device__ float at(int i) const { return p[i]; }
};

template <class V>
struct Apart {
    const V *p;
    __device__ Apart(const V *from);
    __device__ V at(int i) const { return p[i]; }
};
template <class V>
__device__ Apart<V>::Apart(const V *) : p((const V *)table) { }

template <class V>
struct Plain {
    const V *p, *q;
    __device__ Plain(const V *from, const V *beside) : p(beside), q(from) { }
    __device__ V at(int i) const { return p[i]; }
};

template <class V>
__global__ void specialized(const V *__restrict__ x, V *__restrict__ y, int n)
{
    __shared__ V tile[64];
    Source<V> source(x);
    V sum = 0;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = source.at(k + threadIdx.x);
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        table[k + 64 + threadIdx.x] = sum;
        __syncthreads();
    }
}
template __global__ void specialized<float>(const float *, float *, int);

template <class V>
__global__ void specialized_by_name(const V *__restrict__ x, V *__restrict__ y, int n)
{
    __shared__ V tile[64];
    Source<float> source(x);
    V sum = 0;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = source.at(k + threadIdx.x);
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        table[k + 64 + threadIdx.x] = sum;
        __syncthreads();
    }
}
template __global__ void specialized_by_name<float>(const float *, float *, int);

template <class V>
__global__ void apart(const V *__restrict__ x, V *__restrict__ y, int n)
{
    __shared__ V tile[64];
    Apart<V> source(x);
    V sum = 0;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = source.at(k + threadIdx.x);
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        table[k + 64 + threadIdx.x] = sum;
        __syncthreads();
    }
}
template __global__ void apart<float>(const float *, float *, int);

template <class V>
__global__ void apart_by_name(const V *__restrict__ x, V *__restrict__ y, int n)
{
    __shared__ V tile[64];
    Apart<float> source(x);
    V sum = 0;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = source.at(k + threadIdx.x);
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        table[k + 64 + threadIdx.x] = sum;
        __syncthreads();
    }
}
template __global__ void apart_by_name<float>(const float *, float *, int);

template <class V>
__global__ void exchanged(const V *__restrict__ x, V *__restrict__ y, int n)
{
    __shared__ V tile[64];
    Plain<V> source(x, y);
    V sum = 0;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = source.at(k + threadIdx.x);
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        y[k + 64 + threadIdx.x] = sum;
        __syncthreads();
    }
}
template __global__ void exchanged<float>(const float *, float *, int);

template <class V>
__global__ void exchanged_in_braces(const V *__restrict__ x, V *__restrict__ y, int n)
{
    __shared__ V tile[64];
    Plain<V> source{x, y};
    V sum = 0;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = source.at(k + threadIdx.x);
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        y[k + 64 + threadIdx.x] = sum;
        __syncthreads();
    }
}
template __global__ void exchanged_in_braces<float>(const float *, float *, int);

template <class V>
__global__ void not_exchanged(const V *__restrict__ x, V *__restrict__ y, int n)
{
    __shared__ V tile[64];
    Plain<float> source(y, x);
    V sum = 0;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = source.at(k + threadIdx.x);
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        y[k + 64 + threadIdx.x] = sum;
        __syncthreads();
    }
}
template __global__ void not_exchanged<float>(const float *, float *, int);

template <class V>
struct Member {
    const V *p;
    __device__ Member(const V *from) : p(from) { }
    __device__ V at(int i) const { return p[i]; }
};
template <>
__device__ Member<float>::Member(const float *) : p(table) { }

template <class V>
__global__ void member_specialized(const V *__restrict__ x, V *__restrict__ y, int n)
{
    __shared__ V tile[64];
    Member<V> source(x);
    V sum = 0;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = source.at(k + threadIdx.x);
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        table[k + 64 + threadIdx.x] = sum;
        __syncthreads();
    }
}
template __global__ void member_specialized<float>(const float *, float *, int);

__global__ void member_of_one_type(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float tile[64];
    Member<float> source(x);
    float sum = 0;
    for (int k = 0; k < n; k += 64) {
        tile[threadIdx.x] = source.at(k + threadIdx.x);
        __syncthreads();
        sum += tile[63 - threadIdx.x];
        table[k + 64 + threadIdx.x] = sum;
        __syncthreads();
    }
}
