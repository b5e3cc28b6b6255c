// Brute-force descriptor matching: query rows cached, train rows streamed in BLOCK_SIZE x BLOCK_SIZE pieces.
#include <cuda_runtime.h>
#include <limits>

namespace match {

struct L2Dist {
    typedef float value_type;
    typedef float result_type;
    __device__ __forceinline__ L2Dist() : mySum(0.0f) {}
    __device__ __forceinline__ void reduceIter(float val1, float val2)
    {
        float reg = val1 - val2;
        mySum += reg * reg;
    }
    __device__ __forceinline__ operator float() const { return sqrtf(mySum); }
    float mySum;
};

template <int BLOCK_SIZE, typename Dist, typename T>
__global__ void match_rows(const T *__restrict__ query_data, int query_step, int query_rows,
                               const T *__restrict__ train_data, int train_step, int train_rows, int cols,
                               int *__restrict__ bestTrainIdx, float *__restrict__ bestDistance)
{
    __shared__ typename Dist::value_type s_query_stage[2][BLOCK_SIZE * BLOCK_SIZE];
    __shared__ typename Dist::value_type s_train_stage[2][BLOCK_SIZE * BLOCK_SIZE];

    const int queryIdx = blockIdx.x * BLOCK_SIZE + threadIdx.y;
    typename Dist::result_type myBestDistance = 3.4e38f;
    int myBestTrainIdx = -1;

    for (int t = 0, endt = (train_rows + BLOCK_SIZE - 1) / BLOCK_SIZE; t < endt; ++t) {
        Dist dist;
        // pipelinify: ldg, 2 stages, source 57d89ec0
        static_assert(__is_trivially_copyable(T) && !__is_same(T, volatile T), "T must be plain data and not volatile");
        static_assert(__is_same(Dist, match::L2Dist),
                      "pipelined for this Dist alone: run pipelinify again for another");
        int i = 0, endi = (cols + BLOCK_SIZE - 1) / BLOCK_SIZE, stage = 0;
        if (i < endi) {
            {
                const int loadX = threadIdx.x + i * BLOCK_SIZE;

                s_query_stage[0][threadIdx.y * BLOCK_SIZE + threadIdx.x] = 0;
                s_train_stage[0][threadIdx.x * BLOCK_SIZE + threadIdx.y] = 0;

                if (loadX < cols) {
                    s_query_stage[0][threadIdx.y * BLOCK_SIZE + threadIdx.x] =
                        query_data[min(queryIdx, query_rows - 1) * query_step + loadX];
                    s_train_stage[0][threadIdx.x * BLOCK_SIZE + threadIdx.y] =
                        train_data[min(t * BLOCK_SIZE + (int)threadIdx.y, train_rows - 1) * train_step + loadX];
                }
            }
            __syncthreads();
            // Main loop: fetch the next tile while computing on this one.
            for (++i; i < endi; ++i) {
                T s_query_next;
                T s_train_next;
                const int loadX = threadIdx.x + i * BLOCK_SIZE;

                if (loadX < cols) {
                    s_query_next = query_data[min(queryIdx, query_rows - 1) * query_step + loadX];
                    s_train_next =
                        train_data[min(t * BLOCK_SIZE + (int)threadIdx.y, train_rows - 1) * train_step + loadX];
                }

                #pragma unroll
                for (int j = 0; j < BLOCK_SIZE; ++j)
                    dist.reduceIter(s_query_stage[stage][threadIdx.y * BLOCK_SIZE + j],
                                    s_train_stage[stage][j * BLOCK_SIZE + threadIdx.x]);
                stage ^= 1;
                s_query_stage[stage][threadIdx.y * BLOCK_SIZE + threadIdx.x] = 0;
                s_train_stage[stage][threadIdx.x * BLOCK_SIZE + threadIdx.y] = 0;
                if (loadX < cols) {
                    s_query_stage[stage][threadIdx.y * BLOCK_SIZE + threadIdx.x] = s_query_next;
                    s_train_stage[stage][threadIdx.x * BLOCK_SIZE + threadIdx.y] = s_train_next;
                }
                __syncthreads();
            }
            #pragma unroll
            for (int j = 0; j < BLOCK_SIZE; ++j)
                dist.reduceIter(s_query_stage[stage][threadIdx.y * BLOCK_SIZE + j],
                                s_train_stage[stage][j * BLOCK_SIZE + threadIdx.x]);
            __syncthreads();
        }

        typename Dist::result_type distVal = dist;
        const int trainIdx = t * BLOCK_SIZE + threadIdx.x;
        if (queryIdx < query_rows && trainIdx < train_rows && distVal < myBestDistance) {
            myBestDistance = distVal;
            myBestTrainIdx = trainIdx;
        }
    }

    if (queryIdx < query_rows) {
        bestTrainIdx[queryIdx * BLOCK_SIZE + threadIdx.x] = myBestTrainIdx;
        bestDistance[queryIdx * BLOCK_SIZE + threadIdx.x] = myBestDistance;
    }
}

}  // namespace match

// pipelinify: launch match::match_rows<8, match::L2Dist, float>
//   sizes q=8,11 t=1,8,13 c=0,5,8,17,32
//   target q=4096 t=1024 c=128
//   grid (q + 7) / 8
//   block 8, 8
//   query_data: in [q * c + 1]
//   query_step: c
//   query_rows: q
//   train_data: in [t * c + 1]
//   train_step: c
//   train_rows: t
//   cols: c
//   bestTrainIdx: inout [q * 8]
//   bestDistance: inout [q * 8]
template __global__ void match::match_rows<8, match::L2Dist, float>(const float *, int, int,
    const float *, int, int, int, int *, float *);
