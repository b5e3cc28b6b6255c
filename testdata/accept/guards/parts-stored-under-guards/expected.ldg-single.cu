// Records in shared memory of which a guarded store fills a part: an array within an element, or a
// member that another one lies on. What the last tile leaves unwritten, compute reads as it was.
#include <cuda_runtime.h>

#define CELLS 8
#define FEATURES 4

struct Bucket {
    float feature[FEATURES];
};

struct Panel {
    Bucket bucket[CELLS];
    float weight[CELLS];
};

struct Staged {
    union {
        float value[32];
        float spare[32];
    };
    float weight[32];
};

// pipelinify: launch bucket_sums
//   sizes  n=0,8,9,16,21,30,40
//   target n=65536
//   grid   2
//   block  8, 4
//   x:     in  [n * 4] random
//   w:     in  [n] random
//   out:   out [64]
//   n:     n
__global__ void __launch_bounds__(CELLS * FEATURES) bucket_sums(const float *__restrict__ x,
                                                                const float *__restrict__ w,
                                                                float *__restrict__ out, int n)
{
    __shared__ Panel panel;
    const int i = threadIdx.x, f = threadIdx.y;
    const float scale = 1.0f + blockIdx.x;

    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source a655bdc2
    int k = 0, k_tile = k;
    if (k < n) {
        auto compute_tile = [&]() {
            for (int c = 0; c < CELLS; c++) {
                float by = k_tile + c < n ? panel.weight[c] : 0.25f;
                sum += scale * by * panel.bucket[c].feature[(f + i) % FEATURES];
            }
        };
        if (k + i < n) {
            panel.bucket[i].feature[f] = x[(k + i) * FEATURES + f];
            if (f == 0)
                panel.weight[i] = w[k + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += CELLS; k < n; k += CELLS) {
            float panel_next;
            float weight_next;
            if (k + i < n) {
                panel_next = x[(k + i) * FEATURES + f];
                if (f == 0)
                    weight_next = w[k + i];
            }
            compute_tile();
            k_tile += CELLS;
            __syncthreads();
            if (k + i < n) {
                panel.bucket[i].feature[f] = panel_next;
                if (f == 0)
                    panel.weight[i] = weight_next;
            }
            __syncthreads();
        }
        compute_tile();
    }
    out[blockIdx.x * CELLS * FEATURES + f * CELLS + i] = sum;
}

// pipelinify: launch spare_sums
//   sizes  n=0,32,33,64,70,100,128,150
//   target n=65536
//   grid   2
//   block  32
//   x:     in  [n] random
//   out:   out [64]
//   n:     n
__global__ void __launch_bounds__(32) spare_sums(const float *__restrict__ x, float *__restrict__ out, int n)
{
    __shared__ Staged staged;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 893f30c1
    int k = 0;
    if (k < n) {
        if (k + threadIdx.x < n)
            staged.value[threadIdx.x] = x[k + threadIdx.x];
        staged.weight[threadIdx.x] = 1.0f + (k + threadIdx.x) % 3;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (k += 32; k < n; k += 32) {
            float value_next;
            if (k + threadIdx.x < n)
                value_next = x[k + threadIdx.x];
            for (int j = 0; j < 32; j++)
                sum += staged.spare[(j + threadIdx.x) % 32] * staged.weight[j];
            __syncthreads();
            if (k + threadIdx.x < n)
                staged.value[threadIdx.x] = value_next;
            staged.weight[threadIdx.x] = 1.0f + (k + threadIdx.x) % 3;
            __syncthreads();
        }
        for (int j = 0; j < 32; j++)
            sum += staged.spare[(j + threadIdx.x) % 32] * staged.weight[j];
    }
    out[blockIdx.x * 32 + threadIdx.x] = sum * (1.0f + blockIdx.x);
}
