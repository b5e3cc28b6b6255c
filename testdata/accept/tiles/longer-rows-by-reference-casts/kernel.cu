// Each thread looks at a row of its own, four cells at once, by casts to references.
// pipelinify: launch turned
//   sizes n=0,1,2,3
//   grid  1
//   block 32
//   in:   in  [n * 1024 + 4] random
//   out:  out [32]
//   n: n
__global__ void turned(const float *__restrict__ in, float *__restrict__ out, int n)
{
    __shared__ __align__(16) float tile[32][32];
    const int tx = threadIdx.x;
    float sum = 0.0f;
    for (int t = 0; t < n; ++t) {
        for (int r = 0; r < 32; ++r)
            tile[r][tx] = in[(t * 32 + r) * 32 + tx];
        __syncthreads();
        for (int c = 0; c < 32; c += 4) {
            float4 v = reinterpret_cast<float4 &>(tile[tx][c]);
            sum = 0.5f * sum + v.x - v.w;
        }
        __syncthreads();
    }
    out[tx] = sum;
}
