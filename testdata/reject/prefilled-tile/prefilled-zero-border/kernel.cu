#define TW 16

// A zeroed frame around the tile is written once, before the channel loop.
__global__ void conv3x3_channels(const float *__restrict__ in, const float *__restrict__ filt,
                                 float *__restrict__ out, int channels)
{
    __shared__ float img[TW + 2][TW + 2];
    const int x = threadIdx.x, y = threadIdx.y;

    for (int i = y * TW + x; i < (TW + 2) * (TW + 2); i += TW * TW)
        img[i / (TW + 2)][i % (TW + 2)] = 0.0f;
    __syncthreads();

    float sum = 0.0f;
    for (int c = 0; c < channels; ++c) {
        img[y + 1][x + 1] = in[((blockIdx.x * channels + c) * TW + y) * TW + x];
        __syncthreads();
        for (int dy = 0; dy < 3; ++dy)
            for (int dx = 0; dx < 3; ++dx)
                sum += filt[c * 9 + dy * 3 + dx] * img[y + dy][x + dx];
        __syncthreads();
    }
    out[(blockIdx.x * TW + y) * TW + x] = sum;
}
