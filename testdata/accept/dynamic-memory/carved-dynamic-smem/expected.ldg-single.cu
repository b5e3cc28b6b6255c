// Shepard-like label vote: a position tile and a label tile are carved out of one dynamic shared block by pointer arithmetic.
#include <cuda_runtime.h>
#include <cstddef>

// pipelinify: launch vote
//   sizes  n=0,1,47,48,49,96,144,192,240,250 m=48 T=48
//   sizes  n=70,128 m=100 T=64
//   target n=65536 m=65536 T=256
//   grid   (m + T - 1) / T
//   block  T
//   smem   T * 12
//   data:  in  [2 * n] random
//   label: in  [n] below(2)
//   n:     n
//   probe: in  [2 * m] random
//   m:     m
//   r2:    0.4
//   votes: out [m]
__global__ void vote(const float* __restrict__ data, const int* __restrict__ label, int n,
                     const float* __restrict__ probe, int m, float r2, int* __restrict__ votes)
{
    extern __shared__ __align__(16) unsigned char smem[];
    float* xy   = reinterpret_cast<float*>(smem);                // 2 * blockDim.x
    int*   mark = reinterpret_cast<int*>(xy + 2 * blockDim.x);   // blockDim.x

    const int who = blockIdx.x * blockDim.x + threadIdx.x;
    const float px = who < m ? probe[2 * who] : 0.f;
    const float py = who < m ? probe[2 * who + 1] : 0.f;
    int balance = 0;

    // pipelinify: ldg-single, 1 stage, source 59e02499
    int start = 0, start_tile = start;
    if (start < n)
    {
        auto compute_tile = [&]()
        {
            const int have = min(n - start_tile, (int)blockDim.x);
            for (int k = 0; k < have; ++k)
            {
                const float dx = xy[2 * k] - px;
                const float dy = xy[2 * k + 1] - py;
                if (dx * dx + dy * dy < r2)
                    balance += mark[k] ? k + 1 : -1;
            }
        };
        {
            const int mine = start + threadIdx.x;
            if (mine < n)
            {
                xy[2 * threadIdx.x]     = data[2 * mine];
                xy[2 * threadIdx.x + 1] = data[2 * mine + 1];
                mark[threadIdx.x]       = label[mine];
            }
        }
        start += blockDim.x;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; start < n; start += blockDim.x)
        {
            float xy_next;
            float xy_next2;
            int mark_next;
            const int mine = start + threadIdx.x;
            if (mine < n)
            {
                xy_next = data[2 * mine];
                xy_next2 = data[2 * mine + 1];
                mark_next = label[mine];
            }
            compute_tile();
            start_tile += blockDim.x;
            __syncthreads();
            if (mine < n)
            {
                xy[2 * threadIdx.x] = xy_next;
                xy[2 * threadIdx.x + 1] = xy_next2;
                mark[threadIdx.x] = mark_next;
            }
            __syncthreads();
        }
        compute_tile();
    }

    if (who < m)
        votes[who] = balance;
}
