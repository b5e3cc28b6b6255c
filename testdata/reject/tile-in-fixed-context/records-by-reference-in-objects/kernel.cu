// Objects that know a record of the kernel's by a reference, which is changed between tiles.
struct In {
    const float *a;
    int n;
};

// Compute sets a pointer of the record that the object knows by a reference.
struct ByReference {
    In &p;
    float *s;
    __device__ ByReference(In &p_, float *s_) : p(p_), s(s_) {}
    __device__ void load(int k) { s[threadIdx.x] = p.a[k + threadIdx.x]; }
    __device__ void move(const float *to) { p.a = to; }
};

__global__ void moves(In p, const float *__restrict__ other, float *__restrict__ out)
{
    __shared__ float st[64];
    ByReference core(p, st);
    float acc = 0;
    for (int k = 0; k < p.n; k += 64) {
        core.load(k);
        __syncthreads();
        for (int i = 0; i < 64; ++i) acc += st[i] * i;
        if (acc > 10) core.move(other);
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}

// ... under its own name.
struct ByConstReference {
    const In &p;
    float *s;
    __device__ ByConstReference(const In &p_, float *s_) : p(p_), s(s_) {}
    __device__ void load(int k) { s[threadIdx.x] = p.a[k + threadIdx.x]; }
};

__global__ void moves_itself(In p, const float *__restrict__ other, float *__restrict__ out)
{
    __shared__ float st[64];
    ByConstReference core(p, st);
    float acc = 0;
    for (int k = 0; k < p.n; k += 64) {
        core.load(k);
        __syncthreads();
        for (int i = 0; i < 64; ++i) acc += st[i] * i;
        if (acc > 10) p.a = other;
        __syncthreads();
    }
    out[threadIdx.x] = acc;
}
