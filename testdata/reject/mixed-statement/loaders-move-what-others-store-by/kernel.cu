// What a load stores to hangs on a member of its object, which something else moves on
// before the store would be made: another load of that object, a step between the loads, a
// method that knows the member by another name.
#include <cuda_runtime.h>

struct Half {
    const float *p;
    int at;

    __device__ void load(float (&tile)[128]) const { tile[at + threadIdx.x] = p[threadIdx.x]; }
    __device__ void load_and_step(float (&tile)[128])
    {
        tile[threadIdx.x] = p[threadIdx.x + 64];
        p += 128;
        at ^= 64;
    }
    __device__ void load_by_itself(float (&tile)[128]) const { tile[(*this).at + threadIdx.x] = (*this).p[threadIdx.x]; }
    __device__ void step() { at ^= 64; }
    __device__ void step_by_name()
    {
        int &mine = at;
        mine ^= 64;
    }
};

struct Halves {
    Half a, b;
};

#define COMPUTE                                                                      \
    for (int i = 0; i < 64; ++i)                                                     \
        sum += one[i] * one[127 - i] * two[i] * (i + threadIdx.x) + two[127 - i];

// The other load moves it.
__global__ void with_the_load(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float one[128], two[128];
    Half half = {x, 0};
    float sum = 0.f;
    one[64 + threadIdx.x] = two[64 + threadIdx.x] = 0.f;
    for (int k = 0; k < n; ++k) {
        half.load(one);
        half.load_and_step(two);
        __syncthreads();
        COMPUTE
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// A step between the loads.
__global__ void between_the_loads(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float one[128], two[128];
    Half half = {x, 0};
    float sum = 0.f;
    one[64 + threadIdx.x] = two[64 + threadIdx.x] = 0.f;
    for (int k = 0; k < n; ++k) {
        half.load(one);
        half.step_by_name();
        half.load(two);
        __syncthreads();
        COMPUTE
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// Of a part of an object.
__global__ void of_a_part(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float one[128], two[128];
    Halves halves = {{x, 0}, {x + 64, 64}};
    float sum = 0.f;
    one[64 + threadIdx.x] = two[64 + threadIdx.x] = 0.f;
    for (int k = 0; k < n; ++k) {
        halves.a.load_by_itself(one);
        halves.a.step();
        halves.b.load(two);
        halves.b.step();
        __syncthreads();
        COMPUTE
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}

// All of the part is another one.
__global__ void set_anew(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float one[128], two[128];
    Halves halves = {{x, 0}, {x + 64, 64}};
    float sum = 0.f;
    one[64 + threadIdx.x] = two[64 + threadIdx.x] = 0.f;
    for (int k = 0; k < n; ++k) {
        halves.a.load(one);
        halves.a = halves.b;
        halves.b.load(two);
        halves.b.step();
        __syncthreads();
        COMPUTE
        __syncthreads();
    }
    y[threadIdx.x] = sum;
}
