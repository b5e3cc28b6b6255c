// The barrier's helper takes the parity of the tile, which compute uses as well.
#define SPAN 64

__device__ __forceinline__ void arrive(int)
{
    __syncthreads();
}

// pipelinify: launch alternating_sum
//   sizes    n=0,64,128,192,512
//   target   n=65536
//   grid     2
//   block    64
//   rows:    in  [n] random
//   out:     out [2 * 64]
//   n:       n
__global__ void alternating_sum(const float *__restrict__ rows, float *__restrict__ out, int n)
{
    __shared__ float span[SPAN];
    float sum = 0.0f;
    int at = 0;
    // pipelinify: ldg-single, 1 stage, source 1df01665
    int at_tile = at;
    if (at < n) {
        auto compute_tile = [&]() {
            const int parity = (at_tile / SPAN) & 1;
            for (int j = 0; j < SPAN; ++j)
                sum += span[j ^ threadIdx.x] * (parity ? -1.0f : 1.0f);
            at_tile += SPAN;
        };
        span[threadIdx.x] = rows[at + threadIdx.x];
        at += SPAN;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (at < n) {
            float span_next = rows[at + threadIdx.x];
            compute_tile();
            __syncthreads();
            span[threadIdx.x] = span_next;
            at += SPAN;
            __syncthreads();
        }
        compute_tile();
    }
    out[blockIdx.x * SPAN + threadIdx.x] = sum;
}
