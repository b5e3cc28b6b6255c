#include <cooperative_groups.h>
#include <cuda/pipeline>
// The first warp loads rows with 16-byte copies, three warps reduce them.
namespace cg = cooperative_groups;
constexpr int DEPTH = 4, ROW = 96 * 4;
__global__ void row_norms(const float *__restrict__ rows, float *__restrict__ norms, int count)
{
    __shared__ alignas(16) float ring[DEPTH][ROW];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, DEPTH> state;
    const cg::thread_block block = cg::this_thread_block();
    const int warp = block.thread_rank() / 32, lane = block.thread_rank() % 32;
    const cuda::pipeline_role role = warp == 0 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
    cuda::pipeline<cuda::thread_scope_block> pipe = cuda::make_pipeline(block, &state, role);
    if (role == cuda::pipeline_role::producer) {
        for (int row = 0; row < count; ++row) {
            pipe.producer_acquire();
            float *to = ring[row % DEPTH];
            const float *from = rows + (size_t)row * ROW;
            for (int at = lane * 4; at < ROW; at += 32 * 4)
                cuda::memcpy_async(to + at, from + at, cuda::aligned_size_t<16>(16), pipe);
            pipe.producer_commit();
        }
    } else {
        float sum = 0.f;
        const int me = threadIdx.x - 32;
        for (int row = 0; row < count; ++row) {
            pipe.consumer_wait();
            const float4 v = *reinterpret_cast<const float4 *>(&ring[row % DEPTH][me * 4]);
            sum += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
            pipe.consumer_release();
        }
        norms[me] = sum;
    }
}
void launch(const float *r, float *n, int c) { row_norms<<<1, 128>>>(r, n, c); }
