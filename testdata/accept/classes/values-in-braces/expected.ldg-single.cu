// Objects in braces of their own class, whose conversion is not called; a number and a
// half, whose conversion is known.
// pipelinify: launch rows
//   sizes n=0,1,2,3,5
//   block 64
//   from: in  [n * 64] random
//   to:   out [64]
//   n:    n
struct Angle {
    float v;
    __device__ operator float() const { return v; }
};
__global__ void rows(const float *__restrict__ from, float *__restrict__ to, int n)
{
    __shared__ float row[64];
    int t = threadIdx.x;
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 67758afe
    int i = 0;
    if (i < n) {
        auto compute_tile = [&]() {
            for (int j = 0; j < 64; j += 2) {
                Angle first{row[j]}, second{row[j + 1]};
                Angle two[2] = {second, first};
                float values[2] = {float(two[0]), row[t]};
                sum += values[0] * (j ^ t) - float(two[1]) + values[1];
            }
        };
        row[t] = from[i * 64 + t];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++i; i < n; ++i) {
            float row_next = from[i * 64 + t];
            compute_tile();
            __syncthreads();
            row[t] = row_next;
            __syncthreads();
        }
        compute_tile();
    }
    to[t] = sum;
}
