// Range-based loops that fill tiles: over places in an array, over a list, over the rows of the
// tile itself.
#include <initializer_list>

// pipelinify: launch places
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     2
//   block    64
//   g:       in  [tiles * 256 + 1]
//   o:       out [2 * 64]
//   tiles:   tiles
__global__ void places(const float *__restrict__ g, float *__restrict__ o, int tiles)
{
    __shared__ float s[4][64];
    const int rows[4] = {2, 0, 3, 1};
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 67d1a918
    int t = 0;
    if (t < tiles) {
        for (int at = 0; at < 4; ++at) {
            int r = rows[at];
            s[r][threadIdx.x] = g[(t * 4 + r) * 64 + threadIdx.x];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float s_next[4];
            #pragma unroll
            for (int at = 0; at < 4; ++at) {
                int r = rows[at];
                s_next[at] = g[(t * 4 + r) * 64 + threadIdx.x];
            }
            for (const auto &row : s)
                for (float v : row)
                    sum += v * (float)(threadIdx.x + blockIdx.x + 1);
            __syncthreads();
            #pragma unroll
            for (int at = 0; at < 4; ++at) {
                int r = rows[at];
                s[r][threadIdx.x] = s_next[at];
            }
            __syncthreads();
        }
        for (const auto &row : s)
            for (float v : row)
                sum += v * (float)(threadIdx.x + blockIdx.x + 1);
    }
    o[blockIdx.x * 64 + threadIdx.x] = sum;
}

// pipelinify: launch listed
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     2
//   block    64
//   g:       in  [tiles * 192 + 1]
//   o:       out [2 * 64]
//   tiles:   tiles
__global__ void listed(const float *__restrict__ g, float *__restrict__ o, int tiles)
{
    __shared__ float s[192];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 14b8becf
    int t = 0;
    if (t < tiles) {
        {
            const int list[] = {0, 64, 128};
            for (int at = 0; at < 3; ++at) {
                int from = list[at];
                {
                if (from == 64)
                    s[from + threadIdx.x] = 0.5f;
                else
                    s[from + threadIdx.x] = g[t * 192 + from + threadIdx.x];
            }
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float s_next[3];
            const int list[] = {0, 64, 128};
            #pragma unroll
            for (int at = 0; at < 3; ++at) {
                int from = list[at];
                {
                    if (from == 64)
                        s_next[at] = 0.5f;
                    else
                        s_next[at] = g[t * 192 + from + threadIdx.x];
                }
            }
            for (int i = 0; i < 192; ++i)
                sum += s[i] * (float)((i + threadIdx.x) % 5 + blockIdx.x);
            __syncthreads();
            #pragma unroll
            for (int at = 0; at < 3; ++at) {
                int from = list[at];
                {
                    s[from + threadIdx.x] = s_next[at];
                }
            }
            __syncthreads();
        }
        for (int i = 0; i < 192; ++i)
            sum += s[i] * (float)((i + threadIdx.x) % 5 + blockIdx.x);
    }
    o[blockIdx.x * 64 + threadIdx.x] = sum;
}

// pipelinify: launch rows_of_the_tile
//   sizes    tiles=0,1,2,5
//   target   tiles=512
//   grid     2
//   block    64
//   g:       in  [tiles * 256 + 1]
//   o:       out [2 * 64]
//   tiles:   tiles
__global__ void rows_of_the_tile(const float *__restrict__ g, float *__restrict__ o, int tiles)
{
    __shared__ float s[4][64];
    float sum = 0.f;
    // pipelinify: ldg-single, 1 stage, source 6e49ef0e
    int t = 0;
    if (t < tiles) {
        {
            int r = 0;
            for (int at = 0; at < 4; ++at) {
                auto &row = s[at];
                row[threadIdx.x] = g[(t * 4 + r++) * 64 + threadIdx.x];
            }
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < tiles; ++t) {
            float row_next[4];
            int r = 0;
            #pragma unroll
            for (int at = 0; at < 4; ++at) {
                row_next[at] = g[(t * 4 + r++) * 64 + threadIdx.x];
            }
            for (int i = 0; i < 256; ++i)
                sum += s[i / 64][i % 64] * (float)((i ^ threadIdx.x) % 3 + blockIdx.x);
            __syncthreads();
            {
                #pragma unroll
                for (int at = 0; at < 4; ++at) {
                    auto &row = s[at];
                    row[threadIdx.x] = row_next[at];
                }
            }
            __syncthreads();
        }
        for (int i = 0; i < 256; ++i)
            sum += s[i / 64][i % 64] * (float)((i ^ threadIdx.x) % 3 + blockIdx.x);
    }
    o[blockIdx.x * 64 + threadIdx.x] = sum;
}
