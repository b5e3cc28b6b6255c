// Members that are __restrict__, of which that says nothing of the loop.
#ifndef MAY_OVERLAP
#define MAY_OVERLAP __restrict__
#endif

struct Rows {
    float *__restrict__ first;
    float *__restrict__ moved;
    float *__restrict__ *table;
    float *__restrict__ pair[2];
    union {
        float *__restrict__ either;
        float *other;
    };
};
struct Inside {
    Rows rows;
    float *first; // a name that both have
};
struct Derived : Rows {
    int n;
};
struct Said {
    float *MAY_OVERLAP cells; // in the builds that leave it alone
};

__global__ void one_place(const Rows r, int n)
{
    __shared__ float s[128];
    for (int i = 0; i < n; ++i) {
        s[threadIdx.x] = r.either[i * 128 + threadIdx.x];
        __syncthreads();
        r.other[i * 128 + threadIdx.x] = s[127 - threadIdx.x];
        __syncthreads();
    }
}

__global__ void by_a_table(const Rows r, float *out, int n)
{
    __shared__ float s[128];
    for (int i = 0; i < n; ++i) {
        s[threadIdx.x] = r.table[i][threadIdx.x];
        __syncthreads();
        out[i * 128 + threadIdx.x] = s[127 - threadIdx.x];
        __syncthreads();
    }
}

__global__ void two_of_an_array(const Rows r, int n)
{
    __shared__ float s[128];
    for (int i = 0; i < n; ++i) {
        s[threadIdx.x] = r.pair[0][i * 128 + threadIdx.x];
        __syncthreads();
        r.pair[1][i * 128 + threadIdx.x] = s[127 - threadIdx.x];
        __syncthreads();
    }
}

__global__ void moved_before(Rows r, float *out, int n)
{
    __shared__ float s[128];
    r.moved = out + 128;
    for (int i = 0; i < n; ++i) {
        s[threadIdx.x] = r.moved[i * 128 + threadIdx.x];
        __syncthreads();
        out[i * 128 + threadIdx.x] = s[127 - threadIdx.x];
        __syncthreads();
    }
}

__global__ void one_name_of_two(const Inside r, float *out, int n)
{
    __shared__ float s[128];
    for (int i = 0; i < n; ++i) {
        s[threadIdx.x] = r.first[i * 128 + threadIdx.x];
        __syncthreads();
        out[i * 128 + threadIdx.x] = s[127 - threadIdx.x];
        __syncthreads();
    }
}

// What a base holds is not looked at.
__global__ void of_a_base(const Derived r, float *out)
{
    __shared__ float s[128];
    for (int i = 0; i < r.n; ++i) {
        s[threadIdx.x] = r.first[i * 128 + threadIdx.x];
        __syncthreads();
        out[i * 128 + threadIdx.x] = s[127 - threadIdx.x];
        __syncthreads();
    }
}

// Other arguments may have a record that says nothing.
template <class Any> __global__ void of_any(const Any r, float *out, int n)
{
    __shared__ float s[128];
    for (int i = 0; i < n; ++i) {
        s[threadIdx.x] = r.first[i * 128 + threadIdx.x];
        __syncthreads();
        out[i * 128 + threadIdx.x] = s[127 - threadIdx.x];
        __syncthreads();
    }
}
template __global__ void of_any<Rows>(const Rows, float *, int);

__global__ void of_a_build(const Said from, const Said to, int n)
{
    __shared__ float s[128];
    for (int i = 0; i < n; ++i) {
        s[threadIdx.x] = from.cells[i * 128 + threadIdx.x];
        __syncthreads();
        to.cells[i * 128 + threadIdx.x] = s[127 - threadIdx.x];
        __syncthreads();
    }
}

// A pointer of the function's own that is set from the very member that is stored through.
__global__ void its_own_member(const Rows r, int n)
{
    __shared__ float s[128];
    const float *__restrict__ from = r.first;
    for (int i = 0; i < n; ++i) {
        s[threadIdx.x] = from[i * 128 + threadIdx.x];
        __syncthreads();
        r.first[i * 128 + threadIdx.x] = s[127 - threadIdx.x];
        __syncthreads();
    }
}
