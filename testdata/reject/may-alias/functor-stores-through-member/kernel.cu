// The recorder is a template argument; its operator() writes behind a pointer that
// it holds, which may lead to the samples.
struct Recorder {
    float *log;
    __device__ float operator()(float v, int at) const
    {
        log[at] = v;
        return v;
    }
};

template <class Observe>
__global__ void replay(const float *samples, float *__restrict__ out, int blocks, Observe observe)
{
    __shared__ float block[64];
    float sum = 0.0f;
    for (int b = 0; b < blocks; ++b) {
        block[threadIdx.x] = samples[b * 64 + threadIdx.x];
        __syncthreads();
        sum += observe(block[63 - threadIdx.x], b * 64 + threadIdx.x);
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}

template __global__ void replay<Recorder>(const float *, float *, int, Recorder);
