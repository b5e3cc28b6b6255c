// Main loops that call their object's own methods, where loading ahead would be something else.

// What compute reads, the load sets.
struct SetsLast {
    float *row;
    const float *x;
    float sum;
    int at, last;

    __device__ SetsLast(float *r, const float *px) : row(r), x(px), sum(0.f), at(0), last(0) { }

    __device__ void load()
    {
        row[threadIdx.x] = x[at * 64 + threadIdx.x];
        last = at;
    }
    __device__ void add()
    {
        for (int i = 0; i < 64; ++i)
            sum += row[i] * last;
    }
    __device__ float run(int n)
    {
        for (int k = 0; k < n; ++k) {
            load();
            __syncthreads();
            add();
            __syncthreads();
        }
        return sum;
    }
};

__global__ void sets_last(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float row[64];
    SetsLast s(row, x);
    out[threadIdx.x] = s.run(n);
}

// Compute moves the load on.
struct Moves {
    float *row;
    const float *x;
    float sum;
    int at, last;

    __device__ Moves(float *r, const float *px) : row(r), x(px), sum(0.f), at(0), last(0) { }

    __device__ void load()
    {
        row[threadIdx.x] = x[at * 64 + threadIdx.x];
    }
    __device__ void add()
    {
        for (int i = 0; i < 64; ++i)
            sum += row[i] * last;
        at += sum > 0.f ? 1 : 2;
    }
    __device__ float run(int n)
    {
        for (int k = 0; k < n; ++k) {
            load();
            __syncthreads();
            add();
            __syncthreads();
        }
        return sum;
    }
};

__global__ void moves(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float row[64];
    Moves s(row, x);
    out[threadIdx.x] = s.run(n);
}

// The load moves itself on, and compute looks at where it is.
struct Steps {
    float *row;
    const float *x;
    float sum;
    int at, last;

    __device__ Steps(float *r, const float *px) : row(r), x(px), sum(0.f), at(0), last(0) { }

    __device__ void load()
    {
        row[threadIdx.x] = x[at++ * 64 + threadIdx.x];
    }
    __device__ void add()
    {
        for (int i = 0; i < 64; ++i)
            sum += row[i] * last;
        sum += at;
    }
    __device__ float run(int n)
    {
        for (int k = 0; k < n; ++k) {
            load();
            __syncthreads();
            add();
            __syncthreads();
        }
        return sum;
    }
};

__global__ void steps(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float row[64];
    Steps s(row, x);
    out[threadIdx.x] = s.run(n);
}

// The object is the block's.
struct Shared {
    float *row;
    const float *x;
    float sum;
    int at, last;

    __device__ void load()
    {
        row[threadIdx.x] = x[at * 64 + threadIdx.x];
    }
    __device__ void add()
    {
        for (int i = 0; i < 64; ++i)
            sum += row[i] * last;
    }
    __device__ float run(int n)
    {
        for (int k = 0; k < n; ++k) {
            if (threadIdx.x == 0)
                at = k;
            __syncthreads();
            load();
            __syncthreads();
            add();
            __syncthreads();
        }
        return sum;
    }
};

__global__ void of_block(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float row[64];
    __shared__ Shared s;
    if (threadIdx.x == 0) {
        s.row = row;
        s.x = x;
        s.sum = 0.f;
        s.last = 1;
    }
    __syncthreads();
    out[threadIdx.x] = s.run(n);
}

// The tile before is read as the next one is loaded.
struct Keeps {
    float *row;
    const float *x;
    float sum;
    int at, last;

    __device__ Keeps(float *r, const float *px) : row(r), x(px), sum(0.f), at(0), last(0) { }

    __device__ void load()
    {
        row[threadIdx.x] = x[at * 64 + threadIdx.x] + row[threadIdx.x];
    }
    __device__ void add()
    {
        for (int i = 0; i < 64; ++i)
            sum += row[i] * last;
    }
    __device__ float run(int n)
    {
        for (int k = 0; k < n; ++k) {
            at = k;
            load();
            __syncthreads();
            add();
            __syncthreads();
        }
        return sum;
    }
};

__global__ void keeps(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float row[64];
    Keeps s(row, x);
    out[threadIdx.x] = s.run(n);
}

// The member that leads to the tile is set anew by compute.
struct Turns {
    float *row;
    const float *x;
    float sum;
    int at, last;

    __device__ Turns(float *r, const float *px) : row(r), x(px), sum(0.f), at(0), last(0) { }

    __device__ void load()
    {
        row[threadIdx.x] = x[at * 64 + threadIdx.x];
    }
    __device__ void add()
    {
        for (int i = 0; i < 64; ++i)
            sum += row[i] * last;
        row = row + 0;
    }
    __device__ float run(int n)
    {
        for (int k = 0; k < n; ++k) {
            at = k;
            load();
            __syncthreads();
            add();
            __syncthreads();
        }
        return sum;
    }
};

__global__ void turns(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ float row[64];
    Turns s(row, x);
    out[threadIdx.x] = s.run(n);
}
