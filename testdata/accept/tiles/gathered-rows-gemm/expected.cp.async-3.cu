// Sparse convolution, one offset of the kernel: the rows of the input that meet are
// gathered by a map, and what they give is added to rows of the output.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// The file knows a class with a subscript of its own; the maps' type is not it.
template <typename T>
class Span {
public:
    __host__ __device__ Span(const T *begin, int n) : begin_(begin), n_(n) {}
    __host__ __device__ T operator[](unsigned i) const { return begin_[i]; }
    __host__ __device__ Span operator+(int by) const { return Span(begin_ + by, n_ - by); }
    __host__ __device__ int size() const { return n_; }

private:
    const T *begin_;
    int n_;
};

// pipelinify: launch gathered_gemm<int, unsigned, 16>
//   sizes    rows=0,1,16,19 depth=0,1,16,17,40,64,80,96 width=16,20
//   target   rows=65536 depth=256 width=256
//   grid     (width + 15) / 16, (rows + 15) / 16
//   block    16, 16
//   a:       in [(rows + 1) * depth + 1] range(-4, 4)
//   depth:   depth
//   b:       in [depth * width + 1] range(-4, 4)
//   width:   width
//   c:       inout [(rows + 1) * width] range(-4, 4)
//   from:    in [rows + 1] below(rows + 1)
//   to:      in [rows + 1] below(rows + 1)
//   rows:    rows
template <typename Value, typename Index, int N>
__global__ void gathered_gemm(const Value *__restrict__ a, int depth, const Value *__restrict__ b, int width,
                              Value *__restrict__ c, const Index *__restrict__ from, const Index *__restrict__ to,
                              int rows)
{
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = N * blockIdx.x + tx, y = N * blockIdx.y + ty;
    const Index source = y < rows ? from[y] : 0;
    const Index target = y < rows ? to[y] : 0;
    Value sum = 0;

    // pipelinify: cp.async, 3 stages, source 18be2757
    {
        __shared__ Value as_stage[3][N][N];
        __shared__ Value bs_stage[3][N][N];
        static_assert(__is_trivially_copyable(Value) && !__is_same(Value, volatile Value),
                      "Value must be plain data and not volatile");
        static_assert(__is_trivially_copyable(Index) && !__is_same(Index, volatile Index),
                      "Index must be plain data and not volatile");
        static_assert(__is_trivially_copyable(Value) &&
                      (sizeof(Value) == 4 || sizeof(Value) == 8 || sizeof(Value) == 16) &&
                      alignof(Value) == sizeof(Value), "asynchronous copies move 4, 8 or 16 aligned bytes");
        int s_load = 0, stage = 0;
        // Starts to copy the next tile to a stage, if there is one.
        auto copy_tile = [&](int load_stage) {
            if (s_load < depth) {
                if (s_load + tx < depth && y < rows) {
                    __pipeline_memcpy_async(&as_stage[load_stage][ty][tx], &a[depth * source + s_load + tx],
                                            sizeof(Value));
                } else {
                    as_stage[load_stage][ty][tx] = 0;
                }
                if (s_load + ty < depth && x < width) {
                    __pipeline_memcpy_async(&bs_stage[load_stage][ty][tx], &b[(s_load + ty) * width + x],
                                            sizeof(Value));
                } else {
                    bs_stage[load_stage][ty][tx] = 0;
                }
                s_load += N;
            }
            __pipeline_commit();
        };
        for (int load_stage = 0; load_stage < 2; ++load_stage)
            copy_tile(load_stage);
        // Main loop: 2 tiles are in flight while computing on one.
        for (int s = 0; s < depth; s += N) {
            __pipeline_wait_prior(1);
            __syncthreads();
            copy_tile(stage == 0 ? 2 : stage - 1);

#pragma unroll
            for (int k = 0; k < N; ++k)
                sum += as_stage[stage][ty][k] * bs_stage[stage][k][tx];
            stage = stage == 2 ? 0 : stage + 1;
        }
        __pipeline_wait_prior(0);
    }

    if (y < rows && x < width)
        atomicAdd(&c[width * target + x], sum);
}

template <typename Value, typename Index>
void convolve(const Value *a, int depth, const Value *b, int width, Value *c, const Index *from, const Index *to,
              int rows)
{
    const dim3 grid((width + 15) / 16, (rows + 15) / 16);
    gathered_gemm<Value, Index, 16><<<grid, dim3(16, 16)>>>(a, depth, b, width, c, from, to, rows);
}

template void convolve(const int *, int, const int *, int, int *, const unsigned *, const unsigned *, int);
