// A vector is read through an iterator of the user's, whose star gives a reference.
template <typename E>
struct StridedIterator {
    const E *at;
    int stride;

    __device__ const E &operator*() const { return *at; }
    __device__ StridedIterator &operator++()
    {
        at += stride;
        return *this;
    }
};

// pipelinify: launch product
//   sizes    n=0,32,64,160
//   target   n=32768
//   grid     2
//   block    32
//   a:       in  [64 * n + 1]
//   x:       in  [n + 1]
//   y:       out [64]
//   n:       n
__global__ void product(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float part_stage[2][32];
    const int row = blockIdx.x * 32 + threadIdx.x;
    StridedIterator<float> it{x + threadIdx.x, 32};
    float sum = 0.f;
    // pipelinify: ldg, 2 stages, source 513e102a
    int j = 0, j_tile = j, stage = 0;
    if (j < n) {
        part_stage[0][threadIdx.x] = *it;
        ++it;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (j += 32; j < n; j += 32) {
            float part_next = *it;
            for (int i = 0; i < 32; ++i)
                sum += a[(j_tile + i) * 64 + row] * part_stage[stage][i];
            j_tile += 32;
            stage ^= 1;
            part_stage[stage][threadIdx.x] = part_next;
            ++it;
            __syncthreads();
        }
        for (int i = 0; i < 32; ++i)
            sum += a[(j_tile + i) * 64 + row] * part_stage[stage][i];
    }
    y[row] = sum;
}
