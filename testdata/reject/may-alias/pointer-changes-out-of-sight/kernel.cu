// A pointer that another name, a cast, a template, a table or a union changes.
struct Cursor {
    float *p;
    int k;
};
struct Renamed {
    float *&p;
};
union Bits {
    unsigned long long a;
    float *p;
};
struct Pair {
    Cursor both[2];
};
struct Table {
    float *p[2];
    __device__ float *&operator[](int i) { return p[i]; }
};
struct Moved {
    static float *p;
};
__device__ void set(float *&a, float *b) { a = b; }
__device__ void set_at(float **a, float *b) { *a = b; }
__device__ float *&itself(float *&a) { return a; }
__device__ void collect(int k, ...);
__device__ Cursor cursor_of(float *p)
{
    Cursor made;
    made.p = p;
    return made;
}
__device__ void put(const Cursor &cursor, int i, float v) { cursor.p[i] = v; }
__device__ void put_second(const Pair &pair, int i, float v) { pair.both[1].p[i] = v; }
__device__ void put_at(unsigned long long a, int i, float v) { ((float *)a)[i] = v; }
__device__ float get_at(unsigned long long a)
{
    float v;
    asm("ld.global.f32 %0, [%1];" : "=f"(v) : "l"(a));
    return v;
}

__global__ void smooth0(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *a = to;
    float *&r = a;
    r = from + 64;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        a[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth1(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *a = to;
    set(a, from + 64);
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        a[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth2(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *a = to;
    set_at(&a, from + 64);
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        a[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth3(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *a = to;
    itself(a) = from + 64;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        a[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth4(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *a = to;
    Renamed r{a};
    r.p = from + 64;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        a[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth5(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *a = to;
    auto f = [&] { a = from + 64; };
    f();
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        a[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth6(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *a = to, *b = from + 64;
    memcpy(&a, &b, 8);
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        a[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth7(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *a = to;
    (unsigned long long &)a = (unsigned long long)(from + 64);
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        a[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth8(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    Bits bits = {(unsigned long long)from + 256};
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        bits.p[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth9(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    Pair pair = {{{to, 0}, {from + 64, 0}}};
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        put_second(pair, i * 64 + t, sum);
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth10(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        put(cursor_of(from + 64), i * 64 + t, sum);
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth11(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        put_at((unsigned long long)(from + 64), i * 64 + t, sum);
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth12(float *from, float *to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = get_at((unsigned long long)(from + i * 64 + t));
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        from[(i + 1) * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth13(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    static float *keep;
    keep = from + 64;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        keep[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth14(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *a = to;
    void (*call)(float *&, float *) = set;
    call(a, from + 64);
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        a[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth15(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *a = to;
    collect(1, &a);
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        a[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth16(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    float *Cursor::*which = &Cursor::p;
    Cursor a = {to, 0};
    a.*which = from + 64;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        a.p[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth17(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    Table table;
    table[0] = from + 64;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        table[0][i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth18(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        (*(float(*)[64]) & from[(i + 1) * 64])[t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth19(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    Moved::p = from + 64;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        Moved::p[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}

__global__ void smooth20(float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    Cursor a = {to, 0};
    auto &[p, k] = a;
    p = from + 64;
    for (int i = 0; i < n; ++i) {
        row[t] = from[i * 64 + t];
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += row[j ^ t];
        a.p[i * 64 + t] = sum;
        __syncthreads();
    }
    to[t] = sum;
}
