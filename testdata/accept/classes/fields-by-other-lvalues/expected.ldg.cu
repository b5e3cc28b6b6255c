// What of an object says where the next tile lies is set through casts and choices of places.
// pipelinify: launch wander
//   sizes n=0,1,2,3,5,7
//   grid  2
//   block 64
//   in:   in  [n * 64 + 640] random
//   out:  out [128]
//   n: n
struct Cursor {
    int at, turns, step;
};

__global__ void wander(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile_stage[2][64];
    const int tx = threadIdx.x;
    Cursor cursor{0, 1, 64};
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 137e473c
    int t = 0, stage = 0;
    if (t < n) {
        tile_stage[0][tx] = in[(t + (cursor.at & 3)) * cursor.step + tx];
        (t & 1 ? cursor.at : cursor.turns) = t;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float tile_next = in[(t + (cursor.at & 3)) * cursor.step + tx];
            (t & 1 ? cursor.at : cursor.turns) = t;
            for (int q = 0; q < 64; ++q)
                sum = 0.5f * sum + tile_stage[stage][q ^ tx];
            stage ^= 1;
            tile_stage[stage][tx] = tile_next;
            __syncthreads();
        }
        for (int q = 0; q < 64; ++q)
            sum = 0.5f * sum + tile_stage[stage][q ^ tx];
    }
    out[blockIdx.x * 64 + tx] = sum + cursor.at;
}

// pipelinify: launch counted
//   sizes n=0,1,2,3,5,7
//   grid  2
//   block 64
//   in:   in  [n * 64 + 640] random
//   out:  out [128]
//   n: n
__global__ void counted(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ float tile_stage[2][64];
    const int tx = threadIdx.x;
    Cursor cursor{0, 1, 64};
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source e44e60c7
    int t = 0, stage = 0;
    if (t < n) {
        tile_stage[0][tx] = in[(t + (cursor.at & 3)) * cursor.step + tx];
        static_cast<int &>(cursor.at) += 1;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float tile_next = in[(t + (cursor.at & 3)) * cursor.step + tx];
            static_cast<int &>(cursor.at) += 1;
            for (int q = 0; q < 64; ++q)
                sum = 0.5f * sum + tile_stage[stage][q ^ tx];
            stage ^= 1;
            tile_stage[stage][tx] = tile_next;
            __syncthreads();
        }
        for (int q = 0; q < 64; ++q)
            sum = 0.5f * sum + tile_stage[stage][q ^ tx];
    }
    out[blockIdx.x * 64 + tx] = sum + cursor.at;
}
