#include <cuda/pipeline>
// The wait for all but the last two stages of two.
constexpr int N_STAGES = 2;

__global__ void saxpy_blocks(const float *x, const float *w, float *out, int chunks)
{
    __shared__ alignas(16) float xs[N_STAGES][256];
    auto pipe = cuda::make_pipeline();
    const int t4 = threadIdx.x * 4;
    size_t fetch = 0;
    float acc = 0.f;
    for (size_t compute = 0; compute < chunks; ++compute) {
        for (; fetch < chunks && fetch < compute + N_STAGES; ++fetch) {
            pipe.producer_acquire();
            cuda::memcpy_async(&xs[fetch % N_STAGES][t4], x + fetch * 256 + t4, cuda::aligned_size_t<16>(16), pipe);
            pipe.producer_commit();
        }
        cuda::pipeline_consumer_wait_prior<2>(pipe);
        __syncthreads();
        for (int i = 0; i < 256; i += 8)
            acc += xs[compute % N_STAGES][(i + threadIdx.x) % 256] * w[i];
        __syncthreads();
        pipe.consumer_release();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = acc;
}

void go(const float *x, const float *w, float *o, int chunks) { saxpy_blocks<<<8, 64>>>(x, w, o, chunks); }
