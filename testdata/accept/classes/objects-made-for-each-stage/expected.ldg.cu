// Objects that lead to tiles and stay as they were made: each stage has one of its own. Those that
// cannot be made again, for what their constructors do or are handed, keep their one buffer.
#include <cuda_runtime.h>

constexpr int T = 64;

struct Span {
    float cells[T + 1];
};

// Makes nothing but itself.
class Reader {
public:
    __device__ Reader(Span &span, const float *source, int n) : span_(span), source_(source), n_(n) { }
    __device__ void load(int first)
    {
        const int i = first + (int)threadIdx.x;
        span_.cells[threadIdx.x] = i < n_ ? source_[i] : 0.0f;
    }

    __device__ auto load_fetch(int first)
    {
        const int i = first + (int)threadIdx.x;
        float cells_next = i < n_ ? source_[i] : 0.0f;
        return cells_next;
    }

    __device__ void load_store(float cells_next)
    {
        span_.cells[threadIdx.x] = cells_next;
    }
    __device__ float weighed() const
    {
        float sum = 0.0f;
        for (int i = 0; i < T; ++i)
            sum += span_.cells[i] * (float)((i ^ threadIdx.x) & 3);
        return sum;
    }

private:
    Span &span_;
    const float *source_;
    int n_;
};

// Stores to the tile while it is made.
struct Bordered {
    Span &span;
    const float *source;
    int n;
    __device__ Bordered(Span &s, const float *p, int count) : span(s), source(p), n(count)
    {
        if (threadIdx.x == 0)
            span.cells[T] = 2.0f;
    }
    __device__ void load(int first) const { span.cells[threadIdx.x] = first + (int)threadIdx.x < n ? source[first + threadIdx.x] : 0.0f; }
    __device__ float sum() const { return span.cells[T] * span.cells[T - 1 - threadIdx.x]; }
};

// Reads a number where it is made.
struct Scaled {
    Span &span;
    float scale;
    __device__ Scaled(Span &s, const float &by) : span(s), scale(by) { }
    __device__ float last() const { return scale * span.cells[T - 1 - threadIdx.x]; }
};

// A place of each thread's in a tile, by a pointer.
struct Place {
    float *cell;
    const float *from;
};

struct Row {
    float *cells;
    int width;
    __device__ Row(float *c, int w) : cells(c), width(w) { }
    __device__ float &operator()(int r, int c) const { return cells[r * width + c]; }
};

// pipelinify: launch weighed_sums
//   sizes    n=0,1,63,64,65,128,200,320,448
//   target   n=131072
//   block    64
//   x:       in  [n + 66]
//   y:       out [64]
//   n:       n
__global__ void weighed_sums(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Span span_stage[2];
    float total = 0.0f;
    Reader reader(span_stage[0], x, n);
    // pipelinify: ldg, 2 stages, source ffef876c
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            auto &span = span_stage[stage];
            Reader reader(span, x, n);
            total += reader.weighed();
        };
        {
            auto &span = span_stage[0];
            Reader reader(span, x, n);
            reader.load(k);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += T; k < n; k += T) {
            auto span_next = reader.load_fetch(k);
            compute_tile();
            stage ^= 1;
            {
                auto &span = span_stage[stage];
                Reader reader(span, x, n);
                reader.load_store(span_next);
            }
            __syncthreads();
        }
        compute_tile();
    }
    y[threadIdx.x] = total;
}

// pipelinify: launch two_readers
//   sizes    n=0,1,63,64,65,128,200,320,448
//   target   n=131072
//   block    64
//   x:       in  [n + 66]
//   y:       out [64]
//   n:       n
__global__ void two_readers(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Span span_stage[2];
    float total = 0.0f;
    Reader reader(span_stage[0], x, n);
    // pipelinify: ldg, 2 stages, source 108473e3
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            auto &span = span_stage[stage];
            Reader reader(span, x, n);
            const Reader half(span, x + 1, n / 2);
            total += reader.weighed() - 0.5f * half.weighed();
        };
        {
            auto &span = span_stage[0];
            Reader reader(span, x, n);
            reader.load(k);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += T; k < n; k += T) {
            auto span_next = reader.load_fetch(k);
            compute_tile();
            stage ^= 1;
            {
                auto &span = span_stage[stage];
                Reader reader(span, x, n);
                reader.load_store(span_next);
            }
            __syncthreads();
        }
        compute_tile();
    }
    y[threadIdx.x] = total;
}

// pipelinify: launch places
//   sizes    n=0,1,63,64,65,128,200,320,448
//   target   n=131072
//   block    64
//   x:       in  [n + 66]
//   y:       out [64]
//   n:       n
__global__ void places(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float cells_stage[2][T];
    float total = 0.0f;
    const Place place = {cells_stage[0] + threadIdx.x, x + threadIdx.x};
    // pipelinify: ldg, 2 stages, source 8eba1307
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            auto &cells = cells_stage[stage];
            const Place place = {cells + threadIdx.x, x + threadIdx.x};
            total += cells[T - 1 - threadIdx.x] + place.from[0];
        };
        {
            auto &cells = cells_stage[0];
            const Place place = {cells + threadIdx.x, x + threadIdx.x};
            *place.cell = place.from[k];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += T; k < n; k += T) {
            float cells_next = place.from[k];
            compute_tile();
            stage ^= 1;
            {
                auto &cells = cells_stage[stage];
                const Place place = {cells + threadIdx.x, x + threadIdx.x};
                *place.cell = cells_next;
            }
            __syncthreads();
        }
        compute_tile();
    }
    y[threadIdx.x] = total;
}

// pipelinify: launch rows
//   sizes    n=0,1,63,64,65,128,200,320,448
//   target   n=131072
//   block    64
//   x:       in  [n + 66]
//   y:       out [64]
//   n:       n
__global__ void rows(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float a_stage[2][2 * 32], b_stage[2][2 * 32];
    float total = 0.0f;
    const int r = threadIdx.x / 32, c = threadIdx.x % 32;
    // pipelinify: ldg, 2 stages, source 0c7c7995
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            auto &a = a_stage[stage];
            auto &b = b_stage[stage];
            const Row as(a, 32), bs(b, 32);
            for (int i = 0; i < 32; ++i)
                total += as(r, i) * bs(1 - r, i);
        };
        {
            auto &a = a_stage[0];
            auto &b = b_stage[0];
            const Row as(a, 32), bs(b, 32);
            as(r, c) = x[k + threadIdx.x];
            bs(r, c) = x[k + 1 + threadIdx.x];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += T; k < n; k += T) {
            float a_next = x[k + threadIdx.x];
            float b_next = x[k + 1 + threadIdx.x];
            compute_tile();
            stage ^= 1;
            {
                auto &a = a_stage[stage];
                auto &b = b_stage[stage];
                const Row as(a, 32), bs(b, 32);
                as(r, c) = a_next;
                bs(r, c) = b_next;
            }
            __syncthreads();
        }
        compute_tile();
    }
    y[threadIdx.x] = total;
}

// pipelinify: launch second_fill_wins
//   sizes    n=0,1,63,64,65,128,200,320,448
//   target   n=131072
//   block    64
//   x:       in  [n + 66]
//   y:       out [64]
//   n:       n
__global__ void second_fill_wins(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Span span_stage[2];
    float total = 0.0f;
    Reader reader(span_stage[0], x, n), again(span_stage[0], x + 1, n / 2);
    // pipelinify: ldg, 2 stages, source 2944b311
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            auto &span = span_stage[stage];
            Reader reader(span, x, n), again(span, x + 1, n / 2);
            total += reader.weighed();
        };
        {
            auto &span = span_stage[0];
            Reader reader(span, x, n), again(span, x + 1, n / 2);
            reader.load(k);
            again.load(k);
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += T; k < n; k += T) {
            auto span_next = reader.load_fetch(k);
            auto span_next2 = again.load_fetch(k);
            compute_tile();
            stage ^= 1;
            {
                auto &span = span_stage[stage];
                Reader reader(span, x, n), again(span, x + 1, n / 2);
                reader.load_store(span_next);
                again.load_store(span_next2);
            }
            __syncthreads();
        }
        compute_tile();
    }
    y[threadIdx.x] = total;
}

// pipelinify: launch stores_when_made
//   sizes    n=0,1,63,64,65,128,200,320,448
//   target   n=131072
//   block    64
//   x:       in  [n + 66]
//   y:       out [64]
//   n:       n
__global__ void stores_when_made(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Span span;
    float total = 0.0f;
    const Bordered bordered(span, x, n);
    for (int k = 0; k < n; k += T) {
        bordered.load(k);
        __syncthreads();
        total += bordered.sum();
        __syncthreads();
    }
    y[threadIdx.x] = total;
}

// pipelinify: launch reads_when_made
//   sizes    n=0,1,63,64,65,128,200,320,448
//   target   n=131072
//   block    64
//   x:       in  [n + 66]
//   y:       out [64]
//   n:       n
__global__ void reads_when_made(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Span span;
    float total = 0.0f;
    span.cells[threadIdx.x] = 3.0f;
    __syncthreads();
    const Scaled scaled(span, span.cells[0]);
    __syncthreads();
    for (int k = 0; k < n; k += T) {
        span.cells[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        total += scaled.last();
        __syncthreads();
    }
    y[threadIdx.x] = total;
}

// pipelinify: launch argument_changes
//   sizes    n=0,1,63,64,65,128,200,320,448
//   target   n=131072
//   block    64
//   x:       in  [n + 66]
//   y:       out [64]
//   n:       n
__global__ void argument_changes(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Span span;
    float total = 0.0f;
    int count = n;
    Reader reader(span, x, count);
    for (int k = 0; k < n; k += T) {
        reader.load(k);
        __syncthreads();
        total += reader.weighed() * count--;
        __syncthreads();
    }
    y[threadIdx.x] = total;
}

// pipelinify: launch used_behind
//   sizes    n=0,1,63,64,65,128,200,320,448
//   target   n=131072
//   block    64
//   x:       in  [n + 66]
//   y:       out [64]
//   n:       n
__global__ void used_behind(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Span span;
    float total = 0.0f;
    Reader reader(span, x, n);
    reader.load(0);
    __syncthreads();
    for (int k = 0; k < n; k += T) {
        reader.load(k);
        __syncthreads();
        total += reader.weighed();
        __syncthreads();
    }
    total += reader.weighed();
    y[threadIdx.x] = total;
}
