// Copies that are waited for at once, by assembly: the address and the number of bytes are made
// where a name means something else than at the copy.
#define THREADS 64

__global__ void turned_rows(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ __align__(16) float s[4 * THREADS];
    const int lane = threadIdx.x;
    const unsigned to = (unsigned)__cvta_generic_to_shared(&s[4 * lane]);
    float sum = 0.f;
    for (int k = 0; k < n; k++) {
        const int lane = THREADS - 1 - (int)threadIdx.x;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(a + k * 256 + 4 * lane));
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        sum += s[(threadIdx.x * 5 + 1) % 256] * (float)(k + 1);
        __syncthreads();
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

// A type.
__global__ void rows_of_cells(const float *__restrict__ a, float *__restrict__ out, int n)
{
    typedef float cell;
    __shared__ __align__(16) float s[4 * THREADS];
    const int lane = threadIdx.x;
    const unsigned to = (unsigned)__cvta_generic_to_shared((cell *)s + 4 * lane);
    float sum = 0.f;
    for (int k = 0; k < n; k++) {
        typedef double cell;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(a + k * 256 + 4 * lane));
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        sum += (float)(cell)s[(threadIdx.x * 5 + 1) % 256] * (float)(k + 1);
        __syncthreads();
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

// What is asked for the zeros.
__global__ void rows_with_an_edge(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ __align__(16) float s[4 * THREADS];
    const int lane = threadIdx.x, edge = 5;
    float sum = 0.f;
    for (int k = 0; k < n; k++) {
        const int bytes = lane > edge && k == 2 ? 0 : 16;
        {
            const int edge = 4 * lane;
            const unsigned to = (unsigned)__cvta_generic_to_shared(&s[edge]);
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
                         "l"(a + k * 256 + edge), "r"(bytes));
        }
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        sum += s[(lane * 5 + 1) % 256] * (float)(k + 1);
        __syncthreads();
    }
    out[blockIdx.x * THREADS + lane] = sum;
}

// The same names, each of which means one thing.
__global__ void rows_in_order(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ __align__(16) float s[4 * THREADS];
    const int lane = threadIdx.x, edge = 5;
    const unsigned to = (unsigned)__cvta_generic_to_shared(&s[4 * lane]);
    float sum = 0.f;
    for (int k = 0; k < n; k++) {
        {
            const int edge = 7;
            sum += (float)edge;
        }
        const int bytes = lane > edge && k == 2 ? 0 : 16;
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to),
                     "l"(a + k * 256 + 4 * lane), "r"(bytes));
        asm volatile("cp.async.wait_all;" ::: "memory");
        __syncthreads();
        sum += s[(lane * 5 + 1) % 256] * (float)(k + 1);
        __syncthreads();
    }
    out[blockIdx.x * THREADS + lane] = sum;
}
