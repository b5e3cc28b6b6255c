// The constructor's text is `sum(first)`; in this instantiation a conversion stands
// between the two, which counts.
__device__ int conversions;

struct counted {
    float value;

    __device__ operator float() const
    {
        atomicAdd(&conversions, 1);
        return value;
    }
};

template <class Value> struct cell {
    float sum;

    cell() = default;
    __device__ cell(const Value &first) : sum(first) {}
};

template <class Value>
__global__ void sums(const Value *__restrict__ values, float *__restrict__ out, int n)
{
    __shared__ cell<Value> tile[64];
    float sum = 0;
    for (int b = 0; b < n; b += 64) {
        tile[threadIdx.x] = cell<Value>(values[b + threadIdx.x]);
        __syncthreads();
        for (int j = 0; j < 64; ++j)
            sum += tile[j].sum * tile[63 - j].sum;
        __syncthreads();
    }
    out[blockIdx.x * 64 + threadIdx.x] = sum;
}

void launch(const counted *values, float *out, int n)
{
    sums<<<4, 64>>>(values, out, n);
}
