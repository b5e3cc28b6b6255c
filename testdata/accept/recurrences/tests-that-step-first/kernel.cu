// Loops whose test steps to the next tile before it asks, and that pass over some tiles.

// pipelinify: launch kept_channels
//   sizes    channels=0,1,2,3,5,8,13
//   target   channels=512
//   grid     1, 2
//   block    64
//   in:      in  [channels * 64 + 1]
//   w:       in  [2 * channels * 16 + 1]
//   keep:    in  [2 * channels + 1] below(2)
//   out:     out [128]
//   channels: channels
__global__ void kept_channels(const float *__restrict__ in, const float *__restrict__ w, const int *__restrict__ keep,
                              float *__restrict__ out, int channels)
{
    __shared__ float line[64];
    __shared__ float taps[16];
    float sum = 0.f;
    int c = -1;
    while (++c < channels) {
        if (!keep[blockIdx.y * channels + c])
            continue;
        line[threadIdx.x] = in[c * 64 + threadIdx.x];
        if (threadIdx.x < 16)
            taps[threadIdx.x] = w[(blockIdx.y * channels + c) * 16 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 16; ++i)
            sum += taps[i] * line[(threadIdx.x + i) & 63];
        __syncthreads();
    }
    out[blockIdx.y * 64 + threadIdx.x] = sum + c;
}

// pipelinify: launch from_the_last
//   sizes    tiles=0,1,2,3,8
//   grid     1
//   block    32
//   x:       in  [tiles * 32 + 1]
//   skip:    in  [tiles + 1] below(2)
//   out:     out [32]
//   tiles:   tiles
__global__ void from_the_last(const float *__restrict__ x, const int *__restrict__ skip, float *__restrict__ out, int tiles)
{
    __shared__ float line[32];
    float sum = 0.f;
    int t = tiles;
    while (0 <= --t) {
        if (skip[t]) continue;
        line[threadIdx.x] = x[t * 32 + threadIdx.x];
        __syncthreads();
        for (int i = 0; i < 32; ++i)
            sum = sum * 0.5f + line[(threadIdx.x + i) & 31];
        __syncthreads();
    }
    out[threadIdx.x] = sum;
}
