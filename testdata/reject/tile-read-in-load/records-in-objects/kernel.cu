// Records that are members of objects, and whose pointers are not what the object was made from.
struct In {
    const float *a;
    int n;
};

struct Out {
    float *a;
    int n;
};

// The loads step a pointer in it, and compute reads by that.
struct Stepping {
    In p;
    float *s;
    __device__ Stepping(const In &p_, float *s_) : p(p_), s(s_) {}
    __device__ void load() { s[threadIdx.x] = p.a[threadIdx.x]; p.a += 64; }
    __device__ float head() const { return p.a[0]; }
};

__global__ void steps(In p, float *__restrict__ out)
{
    __shared__ float st[64];
    Stepping core(p, st);
    float acc = 0;
    for (int k = 0; k < p.n; k += 64) {
        core.load();
        __syncthreads();
        for (int i = 0; i < 64; ++i) acc += st[i] * i + core.head();
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

// The constructor's body leads a pointer in it elsewhere: to what the loop stores to.
__device__ float table[1024];

struct LedElsewhere {
    Out p;
    float *s;
    __device__ LedElsewhere(const Out &p_, float *s_) : p(p_), s(s_) { p.a = table; }
    __device__ void load(int k) { s[threadIdx.x] = p.a[k + threadIdx.x]; }
};

__global__ void elsewhere(Out p, float *__restrict__ out)
{
    __shared__ float st[64];
    LedElsewhere core(p, st);
    float acc = 0;
    for (int k = 0; k < p.n; k += 64) {
        core.load(k);
        __syncthreads();
        for (int i = 0; i < 64; ++i) acc += st[i] * i;
        table[(k + 64 + threadIdx.x) & 1023] = acc;
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

// The object has a pointer of that name, too; what is stored to is the record's.
struct TwoOfAName {
    Out p;
    const float *a;
    float *s;
    __device__ TwoOfAName(const Out &p_, const float *a_, float *s_) : p(p_), a(a_), s(s_) {}
    __device__ void load(int k) { s[threadIdx.x] = p.a[k + threadIdx.x]; }
    __device__ void put(int k, float v) { p.a[k + 64 + threadIdx.x] = v; }
};

__global__ void two_of_a_name(Out p, const float *__restrict__ b, float *__restrict__ out)
{
    __shared__ float st[64];
    TwoOfAName core(p, b, st);
    float acc = 0;
    for (int k = 0; k < p.n; k += 64) {
        core.load(k);
        __syncthreads();
        for (int i = 0; i < 64; ++i) acc += st[i] * core.a[i];
        core.put(k, acc);
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

// A lambda stores to the source by a reference to a record.
struct Cell {
    float v;
    __device__ Cell &operator=(float x) { v = x; return *this; }
};

__global__ void put_by_lambda(Cell *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float st[64];
    float acc = 0;
    auto put = [](Cell &c, float x) { c = x; };
    for (int k = 0; k < n; k += 64) {
        st[threadIdx.x] = a[k + threadIdx.x].v;
        __syncthreads();
        for (int i = 0; i < 64; ++i) acc += st[i] * i;
        put(a[k + 64 + threadIdx.x], acc);
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}
