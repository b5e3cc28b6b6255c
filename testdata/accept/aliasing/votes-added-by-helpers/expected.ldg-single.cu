// Every block votes for the cells of a table that all blocks share, by helpers that give back
// what was there: nobody takes it, so the atomics load and store, and order nothing.
template <typename T>
__device__ __forceinline__ T add_at(T *address, T value)
{
    return atomicAdd(address, value);
}

template <typename T>
__device__ __forceinline__ T vote(T *table, int cell, T weight)
{
    return (add_at(table + cell, weight));
}

// pipelinify: launch hough_lines
//   sizes    n=1,63,64,65,200 angles=1,31,64
//   target   n=65536 angles=4096
//   grid     (angles + 63) / 64
//   block    64
//   xs:      in  [n] range(0, 255)
//   ys:      in  [n] range(0, 255)
//   slope:   in  [angles] range(-3, 3)
//   table:   inout [1024] below(10)
//   n:       n
//   angles:  angles
__global__ void __launch_bounds__(64)
    hough_lines(const int *__restrict__ xs, const int *__restrict__ ys,
                const int *__restrict__ slope, int *__restrict__ table, int n, int angles)
{
    __shared__ int x[64], y[64];
    const int angle = blockIdx.x * 64 + threadIdx.x;
    const int m = angle < angles ? slope[angle] : 0;

    // pipelinify: ldg-single, 1 stage, source c9280037
    int first = 0, first_tile = first;
    if (first < n) {
        auto compute_tile = [&]() {
            int left = 0, right = 0;
            for (int i = 0; i < 64 && first_tile + i < n; ++i) {
                const int d = y[i] - m * x[i];
                left += d < 0;
                right += d >= 0;
            }
            if (angle < angles) {
                vote(table, (m + 3) * 128 + left % 128, 1);
                vote(table, (m + 3) * 128 + right % 128, left);
            }
        };
        {
            const int at = first + threadIdx.x;
            x[threadIdx.x] = at < n ? xs[at] : 0;
            y[threadIdx.x] = at < n ? ys[at] : 0;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += 64; first < n; first += 64) {
            const int at = first + threadIdx.x;
            int x_next = at < n ? xs[at] : 0;
            int y_next = at < n ? ys[at] : 0;
            compute_tile();
            first_tile += 64;
            __syncthreads();
            x[threadIdx.x] = x_next;
            y[threadIdx.x] = y_next;
            __syncthreads();
        }
        compute_tile();
    }
}
