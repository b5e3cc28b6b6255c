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
    __shared__ __align__(16) float tile_stage[2][32][32 + 4];
    const int tx = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg, 2 stages, source 9a7fc9ce
    int t = 0, stage = 0;
    if (t < n) {
        for (int r = 0; r < 32; ++r)
            tile_stage[0][r][tx] = in[(t * 32 + r) * 32 + tx];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float tile_next[32];
            #pragma unroll
            for (int r = 0; r < 32; ++r)
                tile_next[r] = in[(t * 32 + r) * 32 + tx];
            for (int c = 0; c < 32; c += 4) {
                float4 v = reinterpret_cast<float4 &>(tile_stage[stage][tx][c]);
                sum = 0.5f * sum + v.x - v.w;
            }
            stage ^= 1;
            #pragma unroll
            for (int r = 0; r < 32; ++r)
                tile_stage[stage][r][tx] = tile_next[r];
            __syncthreads();
        }
        for (int c = 0; c < 32; c += 4) {
            float4 v = reinterpret_cast<float4 &>(tile_stage[stage][tx][c]);
            sum = 0.5f * sum + v.x - v.w;
        }
    }
    out[tx] = sum;
}
