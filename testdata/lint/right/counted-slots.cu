// A ring whose slots count up and begin anew, by the primitives.
#include <cuda_pipeline_primitives.h>
constexpr int DEPTH = 4;
constexpr int CHUNK = 128;
__global__ void __launch_bounds__(CHUNK) envelope(const int *__restrict__ wave, int *__restrict__ out, unsigned chunks)
{
    __shared__ int box[DEPTH][CHUNK];
    unsigned fill = 0, drain = 0, asked = 0;
    const unsigned me = threadIdx.x;
    while (asked < DEPTH - 1) {
        if (asked < chunks)
            __pipeline_memcpy_async(&box[fill][me], &wave[asked * CHUNK + me], sizeof(int));
        __pipeline_commit();
        ++asked;
        if (++fill == DEPTH) fill = 0;
    }
    int top = 0;
    for (unsigned done = 0; done < chunks; done++) {
        __pipeline_wait_prior(DEPTH - 2);
        __syncthreads();
        top = max(top, box[drain][CHUNK - 1 - me]);
        if (++drain == DEPTH) drain = 0;
        if (asked < chunks)
            __pipeline_memcpy_async(&box[fill][me], &wave[asked * CHUNK + me], sizeof(int));
        __pipeline_commit();
        ++asked;
        if (++fill == DEPTH) fill = 0;
    }
    out[me] = top;
}
