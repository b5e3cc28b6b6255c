// Keys that each query picks out of a list: the list is a shared array of its own, read by the
// load of the second tile alone, and both tiles lie in one block of dynamic shared memory.
#include <cuda_runtime.h>

#define QUERIES 16
#define KEYS 16
#define WIDTH 16
#define MOST_PICKED 96

// pipelinify: launch weigh_picked
//   sizes    picked=0,1,15,16,33,96 rows=1,16,20 width=16,19
//   target   picked=96 rows=4096 width=64
//   grid     (rows + 15) / 16, 1, (width + 15) / 16
//   block    16, 16
//   smem     2048
//   weights: in  [rows * picked + 1]
//   values:  in  [200 * width]
//   list:    in  [picked + 1] below(200)
//   out:     out [rows * width]
//   picked:  picked
//   width:   width
//   rows:    rows
__global__ void weigh_picked(const float *__restrict__ weights, const float *__restrict__ values,
                             const int *__restrict__ list, float *__restrict__ out, int picked, int width,
                             int rows)
{
    extern __shared__ float block[];
    // 2 stages of 2048 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned block_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(block_given));
    if (block_given != 2 * 2048 + 1)
        __trap();
    auto &block_stage = reinterpret_cast<float (&)[2][512]>(block);
    __shared__ int chosen[MOST_PICKED];
    const int id = threadIdx.x + threadIdx.y * QUERIES;
    for (int t = id; t < picked; t += QUERIES * KEYS)
        chosen[t] = list[t];
    __syncthreads();
    const int row = blockIdx.x * QUERIES + threadIdx.x;
    const int column = blockIdx.z * WIDTH + threadIdx.y;
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 2e5bdb44
    int first = 0, stage = 0;
    if (first < picked) {
        auto compute_tile = [&]() {
            auto &block = block_stage[stage];
            float *by_query = block;
            float *by_key = by_query + QUERIES * KEYS;
            for (int k = 0; k < KEYS; k++)
                sum += by_query[threadIdx.x + QUERIES * k] * by_key[k + threadIdx.y * KEYS];
        };
        {
            auto &block = block_stage[0];
            float *by_query = block;
            float *by_key = by_query + QUERIES * KEYS;
            const int weight = first + threadIdx.y;
            if (row < rows && weight < picked)
                by_query[threadIdx.x + QUERIES * threadIdx.y] = weights[row * picked + weight];
            else
                by_query[threadIdx.x + QUERIES * threadIdx.y] = 0.f;
            const int key = first + threadIdx.x;
            if (key < picked && column < width)
                by_key[threadIdx.x + KEYS * threadIdx.y] = values[chosen[key] * width + column];
            else
                by_key[threadIdx.x + KEYS * threadIdx.y] = 0.f;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (first += KEYS; first < picked; first += KEYS) {
            float by_query_next;
            float by_key_next;
            const int weight = first + threadIdx.y;
            if (row < rows && weight < picked)
                by_query_next = weights[row * picked + weight];
            else
                by_query_next = 0.f;
            const int key = first + threadIdx.x;
            if (key < picked && column < width)
                by_key_next = values[chosen[key] * width + column];
            else
                by_key_next = 0.f;
            compute_tile();
            stage ^= 1;
            {
                auto &block = block_stage[stage];
                float *by_query = block;
                float *by_key = by_query + QUERIES * KEYS;
                by_query[threadIdx.x + QUERIES * threadIdx.y] = by_query_next;
                by_key[threadIdx.x + KEYS * threadIdx.y] = by_key_next;
            }
            __syncthreads();
        }
        compute_tile();
    }
    if (row < rows && column < width)
        out[row * width + column] = sum;
}

void weigh(const float *weights, const float *values, const int *list, float *out, int picked, int width, int rows)
{
    const dim3 block(QUERIES, KEYS);
    const dim3 grid((rows + QUERIES - 1) / QUERIES, 1, (width + WIDTH - 1) / WIDTH);
    weigh_picked<<<grid, block, ((QUERIES + WIDTH) * KEYS * sizeof(float)) + 2048 + 1>>>(weights, values, list, out, picked,
                                                                           width, rows);
}
