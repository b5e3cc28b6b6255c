// A view that a function is handed by reference is led elsewhere: the function sets it, or
// keeps where it is, and another one sets it by that. The loads then follow the stores.
struct View {
    const float *p;
    __device__ View(const float *q) : p(q) {}
    __device__ float operator()(int i) const { return p[i]; }
};
struct Box {
    const View *v;
};
__device__ View *kept;

// It is only read.
__device__ float peek(const View &v, int i) { return v(i); }

__global__ void peeked(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[32];
    View v(in);
    out[0] = peek(v, 3);
    for (int t = 0; t < n; t += 32) {
        tile[threadIdx.x] = v(t + threadIdx.x);
        __syncthreads();
        out[t + 32 + threadIdx.x] = tile[31 - threadIdx.x];
        __syncthreads();
    }
}

// Its constness is cast away.
__device__ void turn(const View &v, const float *q) { const_cast<View &>(v).p = q; }
__global__ void cast_away(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[32];
    View v(in);
    turn(v, out);
    for (int t = 0; t < n; t += 32) {
        tile[threadIdx.x] = v(t + threadIdx.x);
        __syncthreads();
        out[t + 32 + threadIdx.x] = tile[31 - threadIdx.x];
        __syncthreads();
    }
}

// Its address goes out by a pointer.
__device__ void put(const View &v, const View **q) { *q = &v; }
__global__ void by_pointer(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[32];
    View v(in);
    const View *w;
    put(v, &w);
    ((View *)w)->p = out;
    for (int t = 0; t < n; t += 32) {
        tile[threadIdx.x] = v(t + threadIdx.x);
        __syncthreads();
        out[t + 32 + threadIdx.x] = tile[31 - threadIdx.x];
        __syncthreads();
    }
}

// Its address is given back as a number.
__device__ unsigned long long place(const View &v) { return (unsigned long long)&v; }
__global__ void by_number(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[32];
    View v(in);
    ((View *)place(v))->p = out;
    for (int t = 0; t < n; t += 32) {
        tile[threadIdx.x] = v(t + threadIdx.x);
        __syncthreads();
        out[t + 32 + threadIdx.x] = tile[31 - threadIdx.x];
        __syncthreads();
    }
}

// Its address goes out in another object.
__device__ void hold(const View &v, Box &b) { b.v = &v; }
__global__ void by_member(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[32];
    View v(in);
    Box b;
    hold(v, b);
    ((View *)b.v)->p = out;
    for (int t = 0; t < n; t += 32) {
        tile[threadIdx.x] = v(t + threadIdx.x);
        __syncthreads();
        out[t + 32 + threadIdx.x] = tile[31 - threadIdx.x];
        __syncthreads();
    }
}

// Its address stays in a variable.
__device__ void keep(const View &v) { kept = (View *)&v; }
__device__ void turn_kept(const float *q) { kept->p = q; }
__global__ void by_variable(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[32];
    View v(in);
    keep(v);
    turn_kept(out);
    for (int t = 0; t < n; t += 32) {
        tile[threadIdx.x] = v(t + threadIdx.x);
        __syncthreads();
        out[t + 32 + threadIdx.x] = tile[31 - threadIdx.x];
        __syncthreads();
    }
}

// Assembly is handed it.
__device__ void look(View &v) { asm volatile("" ::"l"(&v)); }
__global__ void by_assembly(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[32];
    View v(in);
    look(v);
    for (int t = 0; t < n; t += 32) {
        tile[threadIdx.x] = v(t + threadIdx.x);
        __syncthreads();
        out[t + 32 + threadIdx.x] = tile[31 - threadIdx.x];
        __syncthreads();
    }
}

// A lambda in the function sets it.
__device__ void lead(View &v, const float *q)
{
    auto set = [&] { v.p = q; };
    set();
}
__global__ void by_lambda(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile[32];
    View v(in);
    lead(v, out);
    for (int t = 0; t < n; t += 32) {
        tile[threadIdx.x] = v(t + threadIdx.x);
        __syncthreads();
        out[t + 32 + threadIdx.x] = tile[31 - threadIdx.x];
        __syncthreads();
    }
}
