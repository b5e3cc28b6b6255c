// What the last tile left is used behind the loop: where there was none, the zeros
// from before it; then as room for a reduction.
#include <cuda_runtime.h>

// pipelinify: launch rows_and_last
//   sizes    n=0,1,2,3,4,5,8
//   target   n=4096
//   grid     2
//   block    32
//   x: in [n * 32 + 32]
//   y: out [64]
//   n: n
__global__ void rows_and_last(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float row[32];
    const int t = threadIdx.x;
    row[t] = 0.f;
    __syncthreads();
    float s = 0.f;
    // pipelinify: ldg-single, 1 stage, source c622f518
    int i = 0;
    if (i < n) {
        row[t] = x[i * 32 + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++i; i < n; ++i) {
            float row_next = x[i * 32 + t];
            s += row[31 - t];
            __syncthreads();
            row[t] = row_next;
            __syncthreads();
        }
        s += row[31 - t];
        __syncthreads();
    }
    y[blockIdx.x * 32 + t] = s + row[(t + 1) & 31];
}

// pipelinify: launch chosen_rows
//   sizes    n=0,1,2,3,4,5,8 stop=2,9
//   grid     2
//   block    32
//   flag: in [16] below(2)
//   x: in [n * 32 + 32]
//   y: out [64]
//   n: n
//   stop: stop
__global__ void chosen_rows(const int *__restrict__ flag, const float *__restrict__ x, float *__restrict__ y, int n, int stop)
{
    __shared__ float row[33];
    const int t = threadIdx.x;
    float s = 0.f;
    int seen = 0;
    // pipelinify: ldg-single, 1 stage, source b4945233
    int i = 0;
    bool more = false;
    for (; i < n; ++i) {
        if (flag[i])
            continue;
        if (i >= stop)
            break;
        more = true;
        break;
    }
    if (more) {
        __syncthreads();
        row[t] = x[i * 32 + t];
        ++i;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (true) {
            more = false;
            for (; i < n; ++i) {
                if (flag[i])
                    continue;
                if (i >= stop)
                    break;
                more = true;
                break;
            }
            if (!more)
                break;
            float row_next = x[i * 32 + t];
            s += row[31 - t];
            ++seen;
            __syncthreads();
            row[t] = row_next;
            __syncthreads();
            ++i;
        }
        s += row[31 - t];
        ++seen;
    }
    if (seen)
        s += row[(t + 1) & 31];
    __syncthreads();
    row[t] = s;
    __syncthreads();
    for (int o = 16; o > 0; o >>= 1) {
        if (t < o)
            row[t] += row[t + o];
        __syncthreads();
    }
    y[blockIdx.x * 32 + t] = row[t];
}
