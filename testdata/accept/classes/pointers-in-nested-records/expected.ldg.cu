// What is loaded is found through methods of a record inside another one.
#include <cuda_runtime.h>

struct Strided {
    const float *base;
    int pitch;
    __device__ float at(int i) const { return base[i * pitch]; }
};

struct Operands {
    Strided left, right;
    __device__ float first(int i) const { return left.at(i); }
};

// pipelinify: launch dots
//   sizes  n=0,32,64,96,128,160
//   target n=65536
//   block  32
//   a: in  [n * 2 + 1] range(-1, 1)
//   b: in  [n + 1] range(-1, 1)
//   o: out [n + 32]
//   n: n
__global__ void dots(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ o, int n)
{
    __shared__ float s_stage[2][32], r_stage[2][32];
    Operands of = {{a, 2}, {b, 1}};
    float sum = 0;
    // pipelinify: ldg, 2 stages, source 2585dc41
    int t = 0, t_tile = t, stage = 0;
    if (t < n) {
        s_stage[0][threadIdx.x] = of.first(t + threadIdx.x);
        r_stage[0][threadIdx.x] = of.right.base[t + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t += 32; t < n; t += 32) {
            float s_next = of.first(t + threadIdx.x);
            float r_next = of.right.base[t + threadIdx.x];
            for (int i = 0; i < 32; ++i)
                sum += s_stage[stage][i] * r_stage[stage][31 - i];
            o[t_tile + threadIdx.x] = sum;
            t_tile += 32;
            stage ^= 1;
            s_stage[stage][threadIdx.x] = s_next;
            r_stage[stage][threadIdx.x] = r_next;
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i)
            sum += s_stage[stage][i] * r_stage[stage][31 - i];
        o[t_tile + threadIdx.x] = sum;
        __syncthreads();
    }
    o[n + threadIdx.x] = sum;
}

__device__ static void by_argument(Operands of, float *__restrict__ o, int n)
{
    __shared__ float s_stage[2][32], r_stage[2][32];
    float sum = 0;
    // pipelinify: ldg, 2 stages, source 2585dc41
    int t = 0, t_tile = t, stage = 0;
    if (t < n) {
        s_stage[0][threadIdx.x] = of.first(t + threadIdx.x);
        r_stage[0][threadIdx.x] = of.right.base[t + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (t += 32; t < n; t += 32) {
            float s_next = of.first(t + threadIdx.x);
            float r_next = of.right.base[t + threadIdx.x];
            for (int i = 0; i < 32; ++i)
                sum += s_stage[stage][i] * r_stage[stage][31 - i];
            o[t_tile + threadIdx.x] = sum;
            t_tile += 32;
            stage ^= 1;
            s_stage[stage][threadIdx.x] = s_next;
            r_stage[stage][threadIdx.x] = r_next;
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i)
            sum += s_stage[stage][i] * r_stage[stage][31 - i];
        o[t_tile + threadIdx.x] = sum;
        __syncthreads();
    }
}

// pipelinify: launch dots_of_records
//   sizes  n=0,32,64,96,128,160
//   target n=65536
//   block  32
//   a: in  [n * 2 + 1] range(-1, 1)
//   b: in  [n + 1] range(-1, 1)
//   o: out [n]
//   n: n
__global__ void dots_of_records(const float *a, const float *b, float *__restrict__ o, int n)
{
    const Operands of = {{a, 2}, {b, 1}};
    by_argument(of, o, n);
}
