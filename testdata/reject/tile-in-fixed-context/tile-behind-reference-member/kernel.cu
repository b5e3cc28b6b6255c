// The class knows its tile by a reference, set where the object is made; which object it is, the
// call does not say.
#define SPAN 64

template <class Value>
struct row_scan {
    Value (&span)[SPAN];
    const Value *source;
    Value best;

    __device__ row_scan(Value (&memory)[SPAN], const Value *values)
        : span(memory), source(values), best(values[0])
    {
    }

    __device__ void run(int n)
    {
        for (int at = 0; at < n; at += SPAN) {
            span[threadIdx.x] = source[at + threadIdx.x];
            __syncthreads();
            for (int j = 0; j < SPAN; ++j)
                best = span[j] > best ? span[j] : best;
            __syncthreads();
        }
    }
};

__global__ void row_maxima(const float *__restrict__ rows, float *__restrict__ maxima, int n)
{
    __shared__ float memory[SPAN];
    row_scan<float> scan(memory, rows + (size_t)blockIdx.x * n);
    row_scan<float> *running = n > 0 ? &scan : nullptr;
    if (running)
        running->run(n);
    if (threadIdx.x == 0)
        maxima[blockIdx.x] = scan.best;
}
