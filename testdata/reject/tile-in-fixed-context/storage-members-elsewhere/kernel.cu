// Methods whose object knows the storage of its tiles by a member, in ways that do not say which
// storage that is, or that leave it to others to change.
#include <cuda_runtime.h>

constexpr int T = 64;

struct Tile {
    float row[T];
};

// Another member leads there, too, and is stored through.
struct Twice {
    Tile *tile;
    float *first;

    __device__ Twice(Tile *one, Tile *) : tile(one), first(one->row) { }

    __device__ float sum(const float *x, float *y, int n)
    {
        float sum = 0.f;
        for (int k = 0; k < n; ++k) {
            tile->row[threadIdx.x] = x[k * T + threadIdx.x];
            __syncthreads();
            for (int i = 0; i < T; ++i)
                sum += tile->row[i];
            first[threadIdx.x] = sum;
            __syncthreads();
        }
        return sum;
    }
};

__global__ void twice(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Tile one, two;
    Twice sums(&one, &two);
    y[threadIdx.x] = sums.sum(x, y, n);
}

// A method turns to the other tile.
struct Turns {
    Tile *tile, *other;

    __device__ Turns(Tile *one, Tile *two) : tile(one), other(two) { }

    __device__ void turn()
    {
        Tile *was = tile;
        tile = other;
        other = was;
    }
    __device__ float sum(const float *x, float *y, int n)
    {
        float sum = 0.f;
        for (int k = 0; k < n; ++k) {
            tile->row[threadIdx.x] = x[k * T + threadIdx.x];
            __syncthreads();
            for (int i = 0; i < T; ++i)
                sum += tile->row[i];
            turn();
            __syncthreads();
        }
        return sum;
    }
};

__global__ void turns(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Tile one, two;
    Turns sums(&one, &two);
    y[threadIdx.x] = sums.sum(x, y, n);
}

// One caller has it in global memory.
struct Anywhere {
    Tile *tile;

    __device__ Anywhere(Tile *one, Tile *) : tile(one) { }

    __device__ float sum(const float *x, float *y, int n)
    {
        float sum = 0.f;
        for (int k = 0; k < n; ++k) {
            tile->row[threadIdx.x] = x[k * T + threadIdx.x];
            __syncthreads();
            for (int i = 0; i < T; ++i)
                sum += tile->row[i];
            __syncthreads();
        }
        return sum;
    }
};

__global__ void here(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Tile one, two;
    Anywhere sums(&one, &two);
    y[threadIdx.x] = sums.sum(x, y, n);
}

__global__ void there(const float *__restrict__ x, float *__restrict__ y, Tile *tiles, int n)
{
    Anywhere sums(&tiles[blockIdx.x], nullptr);
    y[threadIdx.x] = sums.sum(x, y, n);
}

// An argument leads there, too.
struct Beside {
    Tile *tile;

    __device__ Beside(Tile *one, Tile *) : tile(one) { }

    __device__ float sum(const float *x, float *y, int n)
    {
        float sum = 0.f;
        for (int k = 0; k < n; ++k) {
            tile->row[threadIdx.x] = x[k * T + threadIdx.x];
            __syncthreads();
            for (int i = 0; i < T; ++i)
                sum += tile->row[i];
            y[threadIdx.x] = sum;
            __syncthreads();
        }
        return sum;
    }
};

__global__ void beside(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Tile one, two;
    Beside sums(&one, &two);
    y[threadIdx.x] = sums.sum(x, one.row, n);
}

// How many tiles there are, another method changes.
struct Shrinks {
    Tile *tile;
    int n, k;

    __device__ Shrinks(Tile *one, int count) : tile(one), n(count), k(0) { }
    __device__ void shrink(float by) { n -= by > 0.f; }
    __device__ float sum(const float *x)
    {
        float sum = 0.f;
        for (int k = 0; k < n; ++k) {
            tile->row[threadIdx.x] = x[k * T + threadIdx.x];
            __syncthreads();
            for (int i = 0; i < T; ++i)
                sum += tile->row[i];
            shrink(sum);
            __syncthreads();
        }
        return sum;
    }
};

__global__ void shrinks(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ Tile one;
    Shrinks sums(&one, n);
    y[threadIdx.x] = sums.sum(x);
}
