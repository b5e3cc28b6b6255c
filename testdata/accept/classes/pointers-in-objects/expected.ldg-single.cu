// Objects that hold several pointers: which of them leads where, their constructors and lists say.
#include <cuda_runtime.h>

constexpr int T = 64;

// What is loaded, and what is stored; the constructor moves on to the thread's own place.
template <typename Value>
class Series {
public:
    __device__ Series(const Value *from, Value *to, int n) : from_(from + threadIdx.x), to_(to), n_(n)
    {
        to_ += threadIdx.x;
    }
    __device__ Value at(int i) const { return i + (int)threadIdx.x < n_ ? from_[i] : Value(0); }
    __device__ void put(int i, Value value) const
    {
        if (i + (int)threadIdx.x < n_)
            to_[i] = value;
    }

private:
    const Value *from_;
    Value *to_;
    int n_;
};

// pipelinify: launch running_sums
//   sizes    n=0,1,63,64,65,128,200,320
//   target   n=1048576
//   grid     1
//   block    64
//   x:       in  [n + 1]
//   y:       out [n + 1]
//   n:       n
__global__ void running_sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float part[T];
    const Series<float> series(x, y, n);
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 555f682e
    int first = 0, first_tile = first;
    if (first < n) {
        auto compute_tile = [&]() {
            float before = sum;
            for (int i = 0; i < T; ++i) {
                before += i <= threadIdx.x ? part[i] : 0.0f;
                sum += part[i];
            }
            series.put(first_tile, before);
        };
        part[threadIdx.x] = series.at(first);
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += T; first < n; first += T) {
            float part_next = series.at(first);
            compute_tile();
            first_tile += T;
            __syncthreads();
            part[threadIdx.x] = part_next;
            __syncthreads();
        }
        compute_tile();
    }
}

// The tiles are known by pointers, beside those to what fills them.
struct Stream {
    float *tile;
    const float *source;
};

// pipelinify: launch dot
//   sizes    n=0,64,128,192,320
//   target   n=1048576
//   grid     2
//   block    64
//   x:       in  [n + 1]
//   w:       in  [n + 1]
//   out:     out [128]
//   n:       n
__global__ void dot(const float *__restrict__ x, const float *__restrict__ w, float *__restrict__ out, int n)
{
    __shared__ float xs[T];
    __shared__ float ws[T];
    Stream a = {xs, x};
    Stream b{ws, w};
    b.source += threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 9eaed337
    int k = 0;
    if (k < n) {
        a.tile[threadIdx.x] = a.source[k + threadIdx.x];
        b.tile[threadIdx.x] = b.source[k];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += T; k < n; k += T) {
            float xs_next = a.source[k + threadIdx.x];
            float ws_next = b.source[k];
            for (int i = 0; i < T; ++i)
                sum += a.tile[i] * b.tile[(i + threadIdx.x + blockIdx.x) % T];
            __syncthreads();
            a.tile[threadIdx.x] = xs_next;
            b.tile[threadIdx.x] = ws_next;
            __syncthreads();
        }
        for (int i = 0; i < T; ++i)
            sum += a.tile[i] * b.tile[(i + threadIdx.x + blockIdx.x) % T];
    }
    out[blockIdx.x * T + threadIdx.x] = sum;
}
