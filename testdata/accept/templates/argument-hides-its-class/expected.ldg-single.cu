// A record of arguments, and a kernel whose template calls its parameter by the same name: what
// the text asks of it names the record from outside.
#include <cuda_runtime.h>

template <typename Float>
struct complex {
    Float x, y;
};

template <typename Float>
__device__ inline void mac(complex<Float> &a, const complex<Float> &b, const complex<Float> &c)
{
    a.x += b.x * c.x - b.y * c.y;
    a.y += b.x * c.y + b.y * c.x;
}

template <typename Float>
struct GaugeAccessor {
    const Float *gauge;
    size_t stride;

    __device__ complex<Float> operator()(int site, int elem) const
    {
        return {gauge[2 * elem * stride + site], gauge[(2 * elem + 1) * stride + site]};
    }
};

namespace lattice {
template <typename Float>
struct Arg {
    GaugeAccessor<Float> u;
    const complex<Float> *basis;
    int nvec;
};
}
using lattice::Arg;

template <typename Arg, typename Float, int BLK>
__device__ void project(const Arg &arg, complex<Float> *out)
{
    __shared__ complex<Float> b[BLK];
    const int s = blockIdx.x * BLK + threadIdx.x;
    complex<Float> acc = {0, 0};
    // pipelinify: ldg-single, 1 stage, source f3a97978
    static_assert(__is_same(Arg, lattice::Arg<double>),
                  "pipelined for this Arg alone: run pipelinify again for another");
    int v = 0;
    if (v < arg.nvec) {
        b[threadIdx.x] = arg.basis[v + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (v += BLK; v < arg.nvec; v += BLK) {
            complex<Float> b_next = arg.basis[v + threadIdx.x];
            for (int i = 0; i < BLK; ++i)
                mac(acc, arg.u(s, i % 9), b[i]);
            __syncthreads();
            b[threadIdx.x] = b_next;
            __syncthreads();
        }
        for (int i = 0; i < BLK; ++i)
            mac(acc, arg.u(s, i % 9), b[i]);
        __syncthreads();
    }
    out[s] = acc;
}

// The record's own name is the parameter's, here.
template <typename Float>
struct Source {
    const Float *rows;
    int n;

    __device__ Float at(int row, int i) const { return rows[row * n + i]; }
};

// pipelinify: launch project_double
//   sizes    nvec=0,64,128,192 vol=64,128
//   target   nvec=4096 vol=65536
//   grid     vol / 64
//   block    64
//   gauge:   in  [18 * vol] random
//   basis:   in  [2 * nvec + 2] random
//   out:     out [2 * vol]
//   nvec:    nvec
//   vol:     vol
__global__ void project_double(const double *gauge, const double *basis, double *out, int nvec, int vol)
{
    const Arg<double> arg{{gauge, (size_t)vol}, (const complex<double> *)basis, nvec};
    project<Arg<double>, double, 64>(arg, (complex<double> *)out);
}

template <typename Source, int BLK>
__device__ void sums_in(Source source, const float *__restrict__ w, float *__restrict__ out)
{
    __shared__ float ws[BLK];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source ca80cf69
    static_assert(__is_same(Source, ::Source<float>),
                  "pipelined for this Source alone: run pipelinify again for another");
    int k = 0, k_tile = k;
    if (k < source.n) {
        ws[threadIdx.x] = w[k + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += BLK; k < source.n; k += BLK) {
            float ws_next = w[k + threadIdx.x];
            for (int i = 0; i < BLK; ++i)
                sum += source.at(threadIdx.x, k_tile + i) * ws[i];
            k_tile += BLK;
            __syncthreads();
            ws[threadIdx.x] = ws_next;
            __syncthreads();
        }
        for (int i = 0; i < BLK; ++i)
            sum += source.at(threadIdx.x, k_tile + i) * ws[i];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch sums_of_rows
//   sizes    n=0,32,64,128
//   target   n=4096
//   grid     1
//   block    32
//   rows:    in  [32 * n + 1] random
//   w:       in  [n + 1] random
//   out:     out [32]
//   n:       n
__global__ void sums_of_rows(const float *rows, const float *w, float *out, int n)
{
    sums_in<Source<float>, 32>(Source<float>{rows, n}, w, out);
}
