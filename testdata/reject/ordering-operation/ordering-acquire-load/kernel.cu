#include <cuda/atomic>

struct Slot {
    unsigned seq;
    float payload[96];
};

__global__ void mailbox_reader(Slot *slots, float *__restrict__ sum, unsigned n)
{
    __shared__ float mail[96];
    float acc = 0.f;
    for (unsigned k = 0; k < n; ++k) {
        cuda::atomic_ref<unsigned, cuda::thread_scope_device> seq(slots[k].seq);
        while (seq.load(cuda::memory_order_acquire) != k + 1) { }
        mail[threadIdx.x] = slots[k].payload[threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 96; j += 3)
            acc += mail[(threadIdx.x + j) % 96];
        __syncthreads();
    }
    sum[blockIdx.x * 96 + threadIdx.x] = acc;
}
