#include <cuda_runtime.h>

// Numbers in shared memory. What T and N are here has nothing to do with what a
// kernel calls T and N.
template <typename T, int N>
struct Strip {
    T v[N];

    __device__ T &operator()(int i) { return v[i]; }
    __device__ T &at(int i) { return v[i]; }
    __device__ T *operator[](int row) { return v + row * 16; }
};

// Scores of int8 outcomes: T is what is written, the strips hold floats.
//
// pipelinify: launch scores<signed char, 64>
//   sizes    n=0,1,63,64,65,128,130,200,257,330 q=64
//   target   n=1048576 q=4096
//   grid     q / N
//   let      N = 64
//   block    64
//   points:  in    [n] random
//   weights: in    [n] range(-1, 1)
//   place:   in    [q] range(-2, 2)
//   out:     inout [q] random
//   n:       n
template <typename T, int N>
__global__ void scores(const float *__restrict__ points, const float *__restrict__ weights,
                       const float *__restrict__ place, T *__restrict__ out, int n)
{
    __shared__ Strip<float, N> x;
    __shared__ Strip<float, N> w;
    __shared__ Strip<float, N> d;

    const int lane = threadIdx.x;
    const float mine = place[blockIdx.x * N + lane];
    float sum = 0.f;

    // pipelinify: ldg-single, 1 stage, source d4313d83
    int base = 0;
    if (base < n) {
        {
            const int i = base + lane;

            x(lane) = i < n ? points[i] : 0.f;
            w.at(lane) = i < n ? weights[i] : 0.f;
            d.v[lane] = i < n ? points[n - 1 - i] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += N; base < n; base += N) {
            const int i = base + lane;

            float x_next = i < n ? points[i] : 0.f;
            float w_next = i < n ? weights[i] : 0.f;
            float v_next = i < n ? points[n - 1 - i] : 0.f;

            for (int j = 0; j < N; ++j)
                sum += w.at(j) * (x(j) - mine) * (d(j) + mine);
            __syncthreads();
            x(lane) = x_next;
            w.at(lane) = w_next;
            d.v[lane] = v_next;
            __syncthreads();
        }
        for (int j = 0; j < N; ++j)
            sum += w.at(j) * (x(j) - mine) * (d(j) + mine);
    }

    const T rest = T(sum);
    out[blockIdx.x * N + lane] += rest;
}

template __global__ void scores<signed char, 64>(const float *, const float *, const float *, signed char *, int);

// Counts become floats, and floats bytes, on the way into shared memory: no bits to
// copy as they are.
//
// pipelinify: launch weighted_counts<64>
//   sizes    n=0,1,63,64,65,128,130,200,257,330 q=64
//   target   n=1048576 q=4096
//   grid     q / N
//   let      N = 64
//   block    64
//   counts:  in    [n] random
//   levels:  in    [n] range(-100, 100)
//   out:     out   [q]
//   n:       n
template <int N>
__global__ void weighted_counts(const int *__restrict__ counts, const float *__restrict__ levels,
                                float *__restrict__ out, int n)
{
    __shared__ Strip<float, N> c;
    __shared__ Strip<float, N> r;
    __shared__ Strip<signed char, N> l;

    const int lane = threadIdx.x;
    float sum = 0.f;

    // pipelinify: ldg-single, 1 stage, source d7b8acce
    int base = 0;
    if (base < n) {
        {
            const int i = base + lane;

            c.at(lane) = i < n ? counts[i] : 0;
            r[lane / 16][lane % 16] = i < n ? counts[n - 1 - i] : 0;
            l(lane) = i < n ? levels[i] : 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (base += N; base < n; base += N) {
            const int i = base + lane;

            float c_next = i < n ? counts[i] : 0;
            float r_next = i < n ? counts[n - 1 - i] : 0;
            signed char l_next = 0.f;
            if (i < n)
                l_next = levels[i];

            for (int j = 0; j < N; ++j)
                sum += c.at(j) * l((j + lane) % N) + r[j / 16][j % 16];
            __syncthreads();
            c.at(lane) = c_next;
            r[lane / 16][lane % 16] = r_next;
            l(lane) = l_next;
            __syncthreads();
        }
        for (int j = 0; j < N; ++j)
            sum += c.at(j) * l((j + lane) % N) + r[j / 16][j % 16];
    }
    out[blockIdx.x * N + lane] = sum;
}

template __global__ void weighted_counts<64>(const int *, const float *, float *, int);
