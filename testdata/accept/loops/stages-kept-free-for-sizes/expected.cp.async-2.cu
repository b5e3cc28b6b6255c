// Tiles whose size the argument says: as many stages as leave room for one of twice the size.
#include <cuda_runtime.h>
#include <cuda_pipeline.h>

// pipelinify: launch sum_rows<float, 2048>
//   sizes    n=0,1,2,3,5
//   target   n=512
//   grid     1
//   block    256
//   x:       in  [n * 2048]
//   y:       out [256]
//   n:       n
template <class V, int SIZE>
__global__ void __launch_bounds__(256) sum_rows(const V *__restrict__ x, V *__restrict__ y, int n)
{
    __shared__ __align__(16) V s_stage[2][SIZE];
    V sum = 0;
    // pipelinify: cp.async, 2 stages, source 53108f6b
    static_assert(__is_trivially_copyable(V) && !__is_same(V, volatile V),
                  "V must be plain data and not volatile");
    static_assert(__is_trivially_copyable(V) &&
                  (sizeof(V) == 4 || sizeof(V) == 8 || sizeof(V) == 16) && alignof(V) == sizeof(V),
                  "asynchronous copies move 4, 8 or 16 aligned bytes");
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 256 && SIZE % 4 == 0 && sizeof(V) == 4 &&
                        __is_trivially_copyable(V) && (size_t)x % 16 == 0;
    int t_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (t_load < n) {
            if (joined) {
                for (int i = 4 * threadIdx.x; i < SIZE; i += 4 * 256)
                    __pipeline_memcpy_async(&s_stage[load_stage][i], &x[t_load * SIZE + i], 16);
            } else {
                for (int i = threadIdx.x; i < SIZE; i += 256)
                    __pipeline_memcpy_async(&s_stage[load_stage][i], &x[t_load * SIZE + i],
                                            sizeof(V));
            }
            ++t_load;
        }
        __pipeline_commit();
    };
    copy_tile(0);
    // Main loop: 1 tile is in flight while computing on one.
    for (int t = 0; t < n; ++t) {
        __pipeline_wait_prior(0);
        __syncthreads();
        copy_tile(stage ^ 1);
        for (int k = 0; k < SIZE; k += 8)
            sum += s_stage[stage][(k + threadIdx.x) % SIZE];
        stage ^= 1;
    }
    __pipeline_wait_prior(0);
    y[threadIdx.x] = sum;
}

void run(const float *x, float *y, int n) { sum_rows<float, 2048><<<1, 256>>>(x, y, n); }
