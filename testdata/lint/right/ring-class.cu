// The ring is a class: where to write next, where to read.
template <typename T, int SLOTS, int SIZE> class Ring {
    T *base;
    int head, tail;

  public:
    __device__ Ring(T *storage) : base(storage), head(0), tail(0) {}
    __device__ T *front() { return base + tail * SIZE; }
    __device__ T *back() { return base + head * SIZE; }
    __device__ void push() { head = (head + 1) % SLOTS; }
    __device__ void pop() { tail = (tail + 1) % SLOTS; }
};

__device__ void copy16(void *d, const void *s)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], %2;\n" ::"r"((unsigned)__cvta_generic_to_shared(d)), "l"(s), "n"(16));
}

__global__ void __launch_bounds__(64) max_rows(const float *in, float *out, int tiles)
{
    __shared__ float storage[3 * 256];
    Ring<float, 3, 256> ring(storage);
    int next = 0;
    for (; next < 2; ++next) {
        if (next < tiles)
            copy16(ring.back() + threadIdx.x * 4, in + next * 256 + threadIdx.x * 4);
        ring.push();
        asm volatile("cp.async.commit_group;\n");
    }
    float best = 0;
    for (int t = 0; t < tiles; ++t, ++next) {
        asm volatile("cp.async.wait_group 1;\n" ::: "memory");
        __syncthreads();
        if (next < tiles)
            copy16(ring.back() + threadIdx.x * 4, in + next * 256 + threadIdx.x * 4);
        ring.push();
        asm volatile("cp.async.commit_group;\n");
        const float *tile = ring.front();
        for (int i = 0; i < 4; ++i)
            best = fmaxf(best, tile[i * 64 + threadIdx.x]);
        ring.pop();
    }
    out[threadIdx.x] = best;
}
