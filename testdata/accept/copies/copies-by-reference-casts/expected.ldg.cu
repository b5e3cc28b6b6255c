// Vectors by a cast to a reference to one: of the places that are copied, and of those that
// compute looks at.
// pipelinify: launch rows
//   sizes n=0,1,2,3,5
//   grid  2
//   block 64
//   in:   in  [n * 512 + 4] random
//   out:  out [128]
//   n: n
#define VECTOR(x) (reinterpret_cast<float4 &>(x))

__global__ void rows(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ __align__(16) float row_stage[2][256];
    const int tx = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 676426a2
    int r = 0, stage = 0;
    if (r < n) {
        (float4 &)row_stage[0][tx * 4] = (const float4 &)in[(r * 2 + blockIdx.x) * 256 + tx * 4];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++r; r < n; ++r) {
            float4 row_next = (const float4 &)in[(r * 2 + blockIdx.x) * 256 + tx * 4];
            for (int q = 0; q < 256; q += 4) {
                float4 v = VECTOR(row_stage[stage][q ^ (tx & 4)]);
                sum = 0.5f * sum + v.x * v.w - v.y * v.z;
            }
            stage ^= 1;
            (float4 &)row_stage[stage][tx * 4] = row_next;
            __syncthreads();
        }
        for (int q = 0; q < 256; q += 4) {
            float4 v = VECTOR(row_stage[stage][q ^ (tx & 4)]);
            sum = 0.5f * sum + v.x * v.w - v.y * v.z;
        }
    }
    out[blockIdx.x * 64 + tx] = sum;
}

// Of 81 cells a second stage would begin where no vector does.
// pipelinify: launch squares
//   sizes n=0,1,2,3,5
//   grid  2
//   block 64
//   in:   in  [n * 162 + 4] random
//   out:  out [128]
//   n: n
__global__ void squares(const float *__restrict__ in, float *__restrict__ out, int n)
{
    struct __align__(16) square_padded { float tile[81]; };
    __shared__ square_padded square_stage[2];
    const int tx = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 8b8dfd8b
    int r = 0, stage = 0;
    if (r < n) {
        for (int i = tx; i < 81; i += 64)
            square_stage[0].tile[i] = in[(r * 2 + blockIdx.x) * 81 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++r; r < n; ++r) {
            float square_next[2];
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = (tx < 64 ? tx : 63) + slot * 64;
                if (slot < 81 / 64 || i < 81)
                    square_next[slot] = in[(r * 2 + blockIdx.x) * 81 + i];
            }
            for (int q = 0; q < 80; q += 4) {
                float4 v = (float4 &)square_stage[stage].tile[q];
                sum = 0.5f * sum + v.x - v.w * tx;
            }
            stage ^= 1;
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = (tx < 64 ? tx : 63) + slot * 64;
                if (slot < 81 / 64 || i < 81)
                    square_stage[stage].tile[i] = square_next[slot];
            }
            __syncthreads();
        }
        for (int q = 0; q < 80; q += 4) {
            float4 v = (float4 &)square_stage[stage].tile[q];
            sum = 0.5f * sum + v.x - v.w * tx;
        }
    }
    out[blockIdx.x * 64 + tx] = sum;
}
