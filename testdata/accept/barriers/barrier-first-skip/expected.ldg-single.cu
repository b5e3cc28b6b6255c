// Range counts over sorted chunks: a chunk whose bounds miss the query's is passed over; the barrier comes first.
#include <cuda_runtime.h>

constexpr int CHUNK = 128;

// pipelinify: launch count_near
//   sizes  chunks=0,1,2,3,6,9 queries=1,4
//   target chunks=4096 queries=1024
//   grid   queries
//   block  128
//   points: in  [chunks * 128] range(-20, 20)
//   bounds: in  [chunks * 2] range(-20, 20)
//   centre: in  [queries] range(-20, 20)
//   radius: 6.5f
//   count:  out [queries * 128]
//   chunks: chunks
__global__ void count_near(const float* __restrict__ points, const float2* __restrict__ bounds,
                           const float* __restrict__ centre, float radius,
                           int* __restrict__ count, int chunks)
{
    __shared__ float chunk[CHUNK];
    const float c = centre[blockIdx.x];
    int n = 0;

    // pipelinify: ldg-single, 1 stage, source cd6fbcf4
    int i = 0;
    bool more = false;
    for (; i < chunks; ++i) {
        const float2 b = bounds[i];
        if (b.x > c + radius || b.y < c - radius)
            continue;
        more = true;
        break;
    }
    int i_tile = i;
    if (more) {
        __syncthreads();
        auto compute_tile = [&]() {
            auto &i = i_tile;
            for (int j = 0; j < CHUNK; ++j)
                n += fabsf(chunk[j] - c) < radius && (j + threadIdx.x) % 3 != 0 ? i + 1 : 0;
        };
        {
            chunk[threadIdx.x] = points[i * CHUNK + threadIdx.x];
        }
        ++i;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (true) {
            more = false;
            for (; i < chunks; ++i) {
                const float2 b = bounds[i];
                if (b.x > c + radius || b.y < c - radius)
                    continue;
                more = true;
                break;
            }
            if (!more)
                break;
            int i_next = i;
            float chunk_next = points[i * CHUNK + threadIdx.x];
            compute_tile();
            i_tile = i_next;
            __syncthreads();
            chunk[threadIdx.x] = chunk_next;
            __syncthreads();
            ++i;
        }
        compute_tile();
    }

    count[blockIdx.x * CHUNK + threadIdx.x] = n;
}
