// Products with rows of which many blocks are empty. An empty block is stepped over where it is
// found: by the steps that end the body, or behind the barrier that begins it.
#include <cuda_runtime.h>

#define BLOCK 64

// pipelinify: launch stepped_product
//   sizes    blocks=0,1,2,3,5,8,13
//   target   blocks=4096
//   grid     2
//   block    64
//   values:  in  [2 * blocks * 64]
//   filled:  in  [2 * blocks] below(2)
//   x:       in  [blocks * 64]
//   out:     out [128]
//   ends:    out [2]
//   blocks:  blocks
__global__ void stepped_product(const float *__restrict__ values, const int *__restrict__ filled,
                                const float *__restrict__ x, float *__restrict__ out,
                                int *__restrict__ ends, int blocks)
{
    __shared__ float part[BLOCK];
    const float *row = values + (size_t)blockIdx.x * blocks * BLOCK;
    const float *end = row + (size_t)blocks * BLOCK;
    const int *fill = filled + blockIdx.x * blocks;
    float sum = 0.0f;
    int b = 0;
    // pipelinify: ldg-single, 1 stage, source 01a80d89
    bool more = false;
    while (row < end) {
        // nothing of an empty block is read
        if (fill[b] == 0) {
            row += BLOCK;
            ++b;
            continue;
        }
        more = true;
        break;
    }
    int b_tile = b;
    if (more) {
        auto compute_tile = [&]() {
            auto &b = b_tile;
            for (int j = 0; j < BLOCK; ++j)
                sum += part[(j + threadIdx.x) % BLOCK] * (j + b);
            ++b;
        };
        part[threadIdx.x] = row[threadIdx.x] * x[b * BLOCK + threadIdx.x];
        row += BLOCK;
        ++b;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (true) {
            more = false;
            while (row < end) {
                // nothing of an empty block is read
                if (fill[b] == 0) {
                    row += BLOCK;
                    ++b;
                    continue;
                }
                more = true;
                break;
            }
            if (!more)
                break;
            int b_next = b;
            float part_next = row[threadIdx.x];
            float part_next2 = x[b * BLOCK + threadIdx.x];
            compute_tile();
            b_tile = b_next;
            __syncthreads();
            part[threadIdx.x] = part_next * part_next2;
            row += BLOCK;
            ++b;
            __syncthreads();
        }
        compute_tile();
    }
    out[blockIdx.x * BLOCK + threadIdx.x] = sum;
    if (threadIdx.x == 0)
        ends[blockIdx.x] = b;
}

// pipelinify: launch listed_product
//   sizes    blocks=0,1,2,3,5,8,13
//   target   blocks=4096
//   grid     2
//   block    64
//   values:  in  [blocks * 64]
//   bounds:  in  [64] range(-1, 1)
//   out:     out [128]
//   blocks:  blocks
//   least:   0.25
__global__ void listed_product(const float *__restrict__ values, const float *__restrict__ bounds,
                               float *__restrict__ out, int blocks, float least)
{
    __shared__ float part[BLOCK];
    __shared__ float bound[BLOCK];
    __shared__ float last[BLOCK];
    bound[threadIdx.x] = bounds[(threadIdx.x + blockIdx.x) % BLOCK];
    last[threadIdx.x] = 0.0f;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source a2e31bc2
    int b = 0;
    __syncthreads();
    bool more = false;
    for (; b < blocks; ++b) {
        const float most = bound[(b * 7 + 3) % BLOCK];
        if (most < least)
            continue;
        more = true;
        break;
    }
    int b_tile = b;
    if (more) {
        auto compute_tile = [&]() {
            auto &b = b_tile;
            for (int j = 0; j < BLOCK; ++j)
                sum += part[(j + threadIdx.x) % BLOCK] * (j + b);
            last[threadIdx.x] = sum;
        };
        {
            part[threadIdx.x] = values[b * BLOCK + threadIdx.x];
        }
        ++b;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (true) {
            more = false;
            for (; b < blocks; ++b) {
                const float most = bound[(b * 7 + 3) % BLOCK];
                if (most < least)
                    continue;
                more = true;
                break;
            }
            if (!more)
                break;
            int b_next = b;
            float part_next = values[b * BLOCK + threadIdx.x];
            compute_tile();
            b_tile = b_next;
            __syncthreads(); // the bounds are there, and the last part is used up
            part[threadIdx.x] = part_next;
            __syncthreads();
            ++b;
        }
        compute_tile();
    }
    __syncthreads();
    __syncthreads();
    out[blockIdx.x * BLOCK + threadIdx.x] = sum + last[(threadIdx.x + 9) % BLOCK];
}

// pipelinify: launch limited_sum
//   sizes    n=0,64,128,192,320,576
//   grid     2
//   block    64
//   x:       in  [n + 64]
//   limits:  in  [2] const(448)
//   most:    n
//   out:     out [128]
__global__ void limited_sum(const float *__restrict__ x, const int *__restrict__ limits, int most,
                            float *__restrict__ out)
{
    __shared__ float part[BLOCK];
    __shared__ int limit;
    float sum = 0.0f;
    int k = 0;
    if (threadIdx.x == 0)
        limit = min(limits[blockIdx.x], most);
    // pipelinify: ldg-single, 1 stage, source 4d1568e2
    __syncthreads();
    if (k < limit) {
        part[threadIdx.x] = x[k + threadIdx.x];
        k += BLOCK;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (k < limit) {
            float part_next = x[k + threadIdx.x];
            for (int j = 0; j < BLOCK; ++j)
                sum += part[j] * (j ^ threadIdx.x);
            __syncthreads();
            part[threadIdx.x] = part_next;
            k += BLOCK;
            __syncthreads();
        }
        for (int j = 0; j < BLOCK; ++j)
            sum += part[j] * (j ^ threadIdx.x);
    }
    __syncthreads();
    out[blockIdx.x * BLOCK + threadIdx.x] = sum;
}

// pipelinify: launch two_ways_out
//   sizes    n=0,64,128,192,320 most=0,64,200,400
//   target   n=131072 most=131072
//   grid     1
//   block    64
//   x:       in  [n]
//   out:     out [64]
//   n:       n
//   most:    most
__global__ void two_ways_out(const float *__restrict__ x, float *__restrict__ out, int n, int most)
{
    __shared__ float part[BLOCK];
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 6db59e19
    int k = 0;
    __syncthreads();
    if (k < n && k < most) {
        part[threadIdx.x] = x[k + threadIdx.x];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += BLOCK; k < n && k < most; k += BLOCK) {
            float part_next = x[k + threadIdx.x];
            for (int j = 0; j < BLOCK; ++j)
                sum += part[j] * (j ^ threadIdx.x);
            __syncthreads();
            part[threadIdx.x] = part_next;
            __syncthreads();
        }
        for (int j = 0; j < BLOCK; ++j)
            sum += part[j] * (j ^ threadIdx.x);
    }
    __syncthreads();
    out[threadIdx.x] = sum;
}
