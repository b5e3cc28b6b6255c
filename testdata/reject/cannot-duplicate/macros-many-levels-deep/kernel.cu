// A line and a count by way of nineteen macros: each copy of the text has its own.
#include <cuda_runtime.h>

#define AT0 __LINE__
#define AT1 AT0
#define AT2 AT1
#define AT3 AT2
#define AT4 AT3
#define AT5 AT4
#define AT6 AT5
#define AT7 AT6
#define AT8 AT7
#define AT9 AT8
#define AT10 AT9
#define AT11 AT10
#define AT12 AT11
#define AT13 AT12
#define AT14 AT13
#define AT15 AT14
#define AT16 AT15
#define AT17 AT16
#define AT18 AT17
#define AT19 AT18
#define SALT0 __COUNTER__
#define SALT1 SALT0
#define SALT2 SALT1
#define SALT3 SALT2
#define SALT4 SALT3
#define SALT5 SALT4
#define SALT6 SALT5
#define SALT7 SALT6
#define SALT8 SALT7
#define SALT9 SALT8
#define SALT10 SALT9
#define SALT11 SALT10
#define SALT12 SALT11
#define SALT13 SALT12
#define SALT14 SALT13
#define SALT15 SALT14
#define SALT16 SALT15
#define SALT17 SALT16
#define SALT18 SALT17
#define SALT19 SALT18

constexpr int T = 64;

__global__ void salted(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * T + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t] * SALT19;
        __syncthreads();
    }
    out[t] = sum;
}

__global__ void placed(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float s[T];
    const int t = threadIdx.x;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        s[t] = a[i * T + t];
        __syncthreads();
        for (int j = 0; j < T; ++j)
            sum += s[j ^ t] * AT19;
        __syncthreads();
    }
    out[t] = sum;
}
