#include <cuda_runtime.h>
// A method points the loader at what the kernel stores to: what it was made from says nothing about it any more.
constexpr int T = 64;

struct Loader {
    const float *p;
    int at;

    __device__ void load(float *tile) const { tile[threadIdx.x] = p[at * T + threadIdx.x]; }
    __device__ void next() { ++at; }
    __device__ void use(const float *q) { p = q; }
};

__global__ void before(const float *__restrict__ A, float *C, int n)
{
    __shared__ float tile[T];
    Loader l = {A, 0};
    l.use(C);
    for (int k = 0; k < n; ++k) {
        l.load(tile);
        __syncthreads();
        C[(k + 1) * T + threadIdx.x] = tile[63 - threadIdx.x] + 1;
        __syncthreads();
        l.next();
    }
}

__global__ void inside(const float *__restrict__ A, float *C, int n)
{
    __shared__ float tile[T];
    Loader l = {A, 0};
    for (int k = 0; k < n; ++k) {
        l.load(tile);
        __syncthreads();
        C[(k + 1) * T + threadIdx.x] = tile[63 - threadIdx.x] + 1;
        __syncthreads();
        l.use(C);
    }
}

__global__ void plain(const float *__restrict__ A, float *C, int n)
{
    __shared__ float tile[T];
    Loader l = {A, 0};
    l.use(C);
    for (int k = 0; k < n; ++k) {
        tile[threadIdx.x] = l.p[k * T + threadIdx.x];
        __syncthreads();
        C[(k + 1) * T + threadIdx.x] = tile[63 - threadIdx.x] + 1;
        __syncthreads();
    }
}

// By a method of a part of it, which is handed where to.
struct Place {
    const float *p;

    __device__ void move(const Place &to) { p = to.p; }
    __device__ void give(Place &to) const { to.p = p; }
};

struct PlaceLoader {
    Place place;
    int at;

    __device__ void load(float *tile) const { tile[threadIdx.x] = place.p[at * T + threadIdx.x]; }
    __device__ void next() { ++at; }
    __device__ void use(const Place &other) { place.move(other); }
    __device__ void take(const Place &other) { other.give(place); }
};

__global__ void by_part(const float *__restrict__ A, float *C, int n)
{
    __shared__ float tile[T];
    PlaceLoader l = {{A}, 0};
    const Place sums = {C};
    l.use(sums);
    for (int k = 0; k < n; ++k) {
        l.load(tile);
        __syncthreads();
        C[(k + 1) * T + threadIdx.x] = tile[63 - threadIdx.x] + 1;
        __syncthreads();
        l.next();
    }
}

__global__ void by_gift(const float *__restrict__ A, float *C, int n)
{
    __shared__ float tile[T];
    PlaceLoader l = {{A}, 0};
    const Place sums = {C};
    l.take(sums);
    for (int k = 0; k < n; ++k) {
        l.load(tile);
        __syncthreads();
        C[(k + 1) * T + threadIdx.x] = tile[63 - threadIdx.x] + 1;
        __syncthreads();
        l.next();
    }
}
