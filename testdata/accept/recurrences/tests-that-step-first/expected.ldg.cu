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
    __shared__ float line_stage[2][64];
    __shared__ float taps_stage[2][16];
    float sum = 0.f;
    int c = -1;
    // pipelinify: ldg, 2 stages, source a81d39c5
    ++c;
    bool more = false;
    for (; c < channels; ++c) {
        if (!keep[blockIdx.y * channels + c])
            continue;
        more = true;
        break;
    }
    if (more) {
        int stage = 0;
        line_stage[0][threadIdx.x] = in[c * 64 + threadIdx.x];
        if (threadIdx.x < 16)
            taps_stage[0][threadIdx.x] = w[(blockIdx.y * channels + c) * 16 + threadIdx.x];
        ++c;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (true) {
            more = false;
            for (; c < channels; ++c) {
                if (!keep[blockIdx.y * channels + c])
                    continue;
                more = true;
                break;
            }
            if (!more)
                break;
            float taps_next;
            float line_next = in[c * 64 + threadIdx.x];
            if (threadIdx.x < 16)
                taps_next = w[(blockIdx.y * channels + c) * 16 + threadIdx.x];
            for (int i = 0; i < 16; ++i)
                sum += taps_stage[stage][i] * line_stage[stage][(threadIdx.x + i) & 63];
            stage ^= 1;
            line_stage[stage][threadIdx.x] = line_next;
            if (threadIdx.x < 16)
                taps_stage[stage][threadIdx.x] = taps_next;
            __syncthreads();
            ++c;
        }
        for (int i = 0; i < 16; ++i)
            sum += taps_stage[stage][i] * line_stage[stage][(threadIdx.x + i) & 63];
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
    __shared__ float line_stage[2][32];
    float sum = 0.f;
    int t = tiles;
    // pipelinify: ldg, 2 stages, source bfb5b5c7
    --t;
    bool more = false;
    for (; 0 <= t; --t) {
        if (skip[t]) continue;
        more = true;
        break;
    }
    if (more) {
        int stage = 0;
        line_stage[0][threadIdx.x] = x[t * 32 + threadIdx.x];
        --t;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        while (true) {
            more = false;
            for (; 0 <= t; --t) {
                if (skip[t]) continue;
                more = true;
                break;
            }
            if (!more)
                break;
            float line_next = x[t * 32 + threadIdx.x];
            for (int i = 0; i < 32; ++i)
                sum = sum * 0.5f + line_stage[stage][(threadIdx.x + i) & 31];
            stage ^= 1;
            line_stage[stage][threadIdx.x] = line_next;
            __syncthreads();
            --t;
        }
        for (int i = 0; i < 32; ++i)
            sum = sum * 0.5f + line_stage[stage][(threadIdx.x + i) & 31];
    }
    out[threadIdx.x] = sum;
}
