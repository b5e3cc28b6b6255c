// Main loops as methods, where what they store to may be what they load, or ask for.
#include <cuda_runtime.h>

constexpr int kTile = 16;

// One caller has the sum in a local, the other one where the operands may be.
struct Operands {
    const float *a;
    int lda, depth;

    __device__ void add_row(int row, float &sum) const
    {
        __shared__ float as[kTile];
        for (int k0 = 0; k0 < depth; k0 += kTile) {
            as[threadIdx.x] = a[row * lda + k0 + threadIdx.x];
            __syncthreads();
            for (int k = 0; k < kTile; ++k)
                sum += as[k];
            __syncthreads();
        }
    }
};

__global__ void sum_in_local(const float *a, float *c, int k)
{
    const Operands operands{a, k, k};
    float sum = 0.0f;
    operands.add_row(blockIdx.x, sum);
    c[threadIdx.x] = sum;
}

__global__ void sum_in_place(float *a, int k)
{
    const Operands operands{a, k, k};
    operands.add_row(blockIdx.x, a[(blockIdx.x + 1) * k]);
}

// The sum is a member of the object that the loop asks for its end.
struct Counted {
    const float *a;
    int left, all;

    __device__ void add(int &sum)
    {
        __shared__ float as[kTile];
        for (int k0 = 0; k0 < left; k0 += kTile) {
            as[threadIdx.x] = a[k0 + threadIdx.x];
            __syncthreads();
            for (int k = 0; k < kTile; ++k)
                sum -= as[k] > 0.0f;
            __syncthreads();
        }
    }
};

__global__ void count_down(const float *__restrict__ a, int *__restrict__ c, int k)
{
    Counted counted{a, k, 0};
    counted.add(counted.left);
    c[threadIdx.x] = counted.left;
}

// What the loop counts is what it asks for, by another name.
struct Overlaid {
    union {
        struct {
            int first, last;
        };
        int both[2];
    };

    __device__ void run(const float *__restrict__ a)
    {
        __shared__ float as[kTile];
        for (int k0 = 0; k0 < last; k0 += kTile) {
            as[threadIdx.x] = a[k0 + threadIdx.x];
            __syncthreads();
            for (int k = 0; k < kTile; ++k)
                both[1] -= as[k] > 0.0f;
            __syncthreads();
        }
    }
};

__global__ void count_overlaid(const float *__restrict__ a, int *__restrict__ c, int k)
{
    Overlaid counts;
    counts.first = 0;
    counts.last = k;
    counts.run(a);
    c[threadIdx.x] = counts.last;
}

// The object lies in global memory, and its row of numbers may be its sums.
struct Kept {
    const float *a;
    int n;
    float sums[2];

    __device__ void run()
    {
        __shared__ float as[kTile];
        for (int k0 = 0; k0 < n; k0 += kTile) {
            as[threadIdx.x] = a[k0 + threadIdx.x];
            __syncthreads();
            for (int k = 0; k < kTile; ++k)
                sums[threadIdx.x & 1] += as[k];
            __syncthreads();
        }
    }
};

__global__ void sums_of_each(Kept *objects) { objects[blockIdx.x].run(); }

// The pointer of the object may lead to its own sums.
struct Selfish {
    const float *a;
    int n;
    float sums[2 * kTile];

    __device__ void run()
    {
        __shared__ float as[kTile];
        for (int k0 = 0; k0 < n; k0 += kTile) {
            as[threadIdx.x] = a[k0 + threadIdx.x];
            __syncthreads();
            for (int k = 0; k < kTile; ++k)
                sums[(k0 + k + kTile) % (2 * kTile)] += as[k];
            __syncthreads();
        }
    }
};

__global__ void sums_of_sums(const float *__restrict__ a, float *__restrict__ c, int k)
{
    Selfish object{a, k, {1.0f}};
    object.a = object.sums;
    object.run();
    c[threadIdx.x] = object.sums[threadIdx.x];
}

// The tiles are in shared memory for the one caller, in a buffer for the other.
struct Storage {
    float row[kTile];
};

struct Streamed {
    __device__ float run(Storage &tiles, const float *__restrict__ a, int n) const
    {
        float sum = 0.0f;
        for (int k0 = 0; k0 < n; k0 += kTile) {
            tiles.row[threadIdx.x] = a[k0 + threadIdx.x];
            __syncthreads();
            for (int k = 0; k < kTile; ++k)
                sum += tiles.row[k];
            __syncthreads();
        }
        return sum;
    }
};

__global__ void sum_by_shared(const float *__restrict__ a, float *__restrict__ c, int n)
{
    __shared__ Storage tiles;
    c[threadIdx.x] = Streamed{}.run(tiles, a, n);
}

__global__ void sum_by_buffer(const float *__restrict__ a, float *__restrict__ c, Storage *tiles, int n)
{
    c[threadIdx.x] = Streamed{}.run(tiles[blockIdx.x], a, n);
}
