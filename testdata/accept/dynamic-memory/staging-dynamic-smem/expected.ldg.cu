// Batches staged through dynamic shared memory, each handed to a device function that writes its results out.
#include <cassert>
#include <cooperative_groups.h>

__device__ void compute(int* global_out, int const* shared_in) {
    auto block = cooperative_groups::this_thread_block();
    unsigned me = block.thread_rank();
    unsigned sum = 0;
    for (unsigned k = 0; k < 4; ++k)
        sum = sum * 3 + (unsigned)shared_in[(me + k) % block.size()];
    global_out[me] = (int)sum;
}

// pipelinify: launch without_staging
//   sizes   batch_sz=0,1,2,3,4,5,6,11
//   target  batch_sz=256
//   grid    3
//   block   64
//   smem    64 * 4
//   let     total = batch_sz * 3 * 64
//   global_out: out [total]
//   global_in:  in [total] random
//   size:     total
//   batch_sz: batch_sz
//   work    bytes 8 * total
__global__ void without_staging(int* global_out, int const* global_in, size_t size, size_t batch_sz) {
    auto grid = cooperative_groups::this_grid();
    auto block = cooperative_groups::this_thread_block();
    assert(size == batch_sz * grid.size());

    extern __shared__ int shared[]; // block.size() * sizeof(int) bytes
    // 2 stages of 256 bytes, and 1 byte more: a launch that gives another number is trapped
    unsigned shared_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(shared_given));
    if (shared_given != 2 * 256 + 1)
        __trap();
    auto &shared_stage = reinterpret_cast<int (&)[2][64]>(shared);

    size_t local_idx = block.thread_rank();

    // pipelinify: ldg, 2 stages, source b39506ee
    size_t batch = 0;
    size_t batch_tile = batch;
    if (batch < batch_sz) {
        int stage = 0;
        auto compute_tile = [&]() {
            auto &shared = shared_stage[stage];
            size_t block_batch_idx = block.group_index().x * block.size() + grid.size() * batch_tile;

            compute(global_out + block_batch_idx, shared);
        };
        {
            auto &shared = shared_stage[0];
            // The part of this batch that belongs to this block:
            size_t block_batch_idx = block.group_index().x * block.size() + grid.size() * batch;
            size_t global_idx = block_batch_idx + threadIdx.x;
            shared[local_idx] = global_in[global_idx];
        }
        block.sync(); // the batch has arrived
        // Main loop: fetch the next tile while computing on this one.
        for (++batch; batch < batch_sz; ++batch) {
            // The part of this batch that belongs to this block:
            size_t block_batch_idx = block.group_index().x * block.size() + grid.size() * batch;
            size_t global_idx = block_batch_idx + threadIdx.x;
            int shared_next = global_in[global_idx];
            compute_tile();
            ++batch_tile;
            stage ^= 1;
            {
                auto &shared = shared_stage[stage];
                shared[local_idx] = shared_next;
            }
            block.sync(); // everyone is done with it
        }
        compute_tile();
    }
}

void run_without_staging(int* out, int const* in, size_t batches) {
    without_staging<<<3, 64, 64 * sizeof(int) + 256 + 1>>>(out, in, batches * 3 * 64, batches);
}
