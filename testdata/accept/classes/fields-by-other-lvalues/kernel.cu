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
    __shared__ float tile[64];
    const int tx = threadIdx.x;
    Cursor cursor{0, 1, 64};
    float sum = 0.0f;
    for (int t = 0; t < n; ++t) {
        tile[tx] = in[(t + (cursor.at & 3)) * cursor.step + tx];
        __syncthreads();
        for (int q = 0; q < 64; ++q)
            sum = 0.5f * sum + tile[q ^ tx];
        (t & 1 ? cursor.at : cursor.turns) = t;
        __syncthreads();
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
    __shared__ float tile[64];
    const int tx = threadIdx.x;
    Cursor cursor{0, 1, 64};
    float sum = 0.0f;
    for (int t = 0; t < n; ++t) {
        tile[tx] = in[(t + (cursor.at & 3)) * cursor.step + tx];
        __syncthreads();
        for (int q = 0; q < 64; ++q)
            sum = 0.5f * sum + tile[q ^ tx];
        static_cast<int &>(cursor.at) += 1;
        __syncthreads();
    }
    out[blockIdx.x * 64 + tx] = sum + cursor.at;
}
