// The only place that names the volatile instantiation is a table of kernels.
template <class Tick>
__global__ void steps(const float *__restrict__ in, float *__restrict__ out, Tick *__restrict__ tick, int n)
{
    __shared__ float line[64];
    float s = 0.f;
    for (int i = 0; i < n; ++i) {
        line[threadIdx.x] = in[i * 64 + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 64; k += 2)
            s += line[k] * line[k ^ threadIdx.x];
        if (threadIdx.x == 0)
            *tick = i;
        __syncthreads();
    }
    out[threadIdx.x] = s;
}

void start(const float *in, float *out, int *tick, int n) { steps<int><<<1, 64>>>(in, out, tick, n); }

struct Entry {
    const char *name;
    void *kernel;
    void (*watched)(const float *, float *, volatile int *, int);
};

const Entry entries[] = {{"watched", nullptr, steps<volatile int>}};
