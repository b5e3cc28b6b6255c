// A block may have more threads than a copy loop's step. Those repeat what the last of the
// others copies only where each iteration is told by its counter alone.

// pipelinify: launch gains_of_threads
//   sizes    n=0,1,2,3,4,5
//   grid     1
//   block    192
//   samples: in  [n * 128]
//   gains:   in  [192]
//   out:     out [192]
//   n:       n
__global__ void gains_of_threads(const float *__restrict__ samples, const float *__restrict__ gains,
                                 float *__restrict__ out, int n)
{
    __shared__ float window[128];
    const float gain = gains[threadIdx.x];
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 22139154
    int frame = 0;
    if (frame < n) {
        for (int i = threadIdx.x; i < 128; i += 128)
            window[i] = samples[frame * 128 + i] * gain;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++frame; frame < n; ++frame) {
            float window_next[1];
            #pragma unroll
            for (int slot = 0; slot < 1; ++slot) {
                int i = threadIdx.x + slot * 128;
                if (i < 128)
                    window_next[slot] = samples[frame * 128 + i];
            }
            for (int i = 0; i < 128; ++i)
                sum += window[i] * window[(i + threadIdx.x) % 128];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 1; ++slot) {
                int i = threadIdx.x + slot * 128;
                if (i < 128)
                    window[i] = window_next[slot] * gain;
            }
            __syncthreads();
        }
        for (int i = 0; i < 128; ++i)
            sum += window[i] * window[(i + threadIdx.x) % 128];
    }
    out[threadIdx.x] = sum;
}

// pipelinify: launch table_beside
//   sizes    n=0,1,2,3,4,5
//   grid     1
//   block    96
//   keys:    in  [n * 64] below(64)
//   out:     out [96]
//   n:       n
__global__ void table_beside(const int *__restrict__ keys, int *__restrict__ out, int n)
{
    __shared__ int bucket[64], owner[64];
    int found = 0;
    // pipelinify: ldg-single, 1 stage, source e52e0197
    int block = 0;
    if (block < n) {
        for (int i = threadIdx.x; i < 64; i += 64) {
            bucket[i] = keys[block * 64 + i];
            owner[threadIdx.x] = keys[block * 64 + (i ^ 1)];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++block; block < n; ++block) {
            int bucket_next[1];
            int owner_next[1];
            #pragma unroll
            for (int slot = 0; slot < 1; ++slot) {
                int i = threadIdx.x + slot * 64;
                if (i < 64) {
                    bucket_next[slot] = keys[block * 64 + i];
                    owner_next[slot] = keys[block * 64 + (i ^ 1)];
                }
            }
            for (int i = 0; i < 64; ++i)
                found += bucket[i] == static_cast<int>(threadIdx.x) ? owner[i] : 1;
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 1; ++slot) {
                int i = threadIdx.x + slot * 64;
                if (i < 64) {
                    bucket[i] = bucket_next[slot];
                    owner[threadIdx.x] = owner_next[slot];
                }
            }
            __syncthreads();
        }
        for (int i = 0; i < 64; ++i)
            found += bucket[i] == static_cast<int>(threadIdx.x) ? owner[i] : 1;
    }
    out[threadIdx.x] = found;
}

// pipelinify: launch rows_of_warps
//   sizes    n=0,1,2,3,4,5
//   grid     1
//   block    32, 6
//   a:       in  [n * 128]
//   out:     out [192]
//   n:       n
__global__ void rows_of_warps(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float rows[128];
    const int rank = threadIdx.y * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source fe5643fd
    int t = 0;
    if (t < n) {
        for (int i = rank; i < 128; i += 128)
            rows[i] = threadIdx.y ? a[t * 128 + i] : 0.5f * a[t * 128 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float rows_next[1];
            #pragma unroll
            for (int slot = 0; slot < 1; ++slot) {
                int i = rank + slot * 128;
                if (i < 128)
                    rows_next[slot] = threadIdx.y ? a[t * 128 + i] : 0.5f * a[t * 128 + i];
            }
            for (int i = 0; i < 128; ++i)
                sum += rows[i] * (i + rank);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 1; ++slot) {
                int i = rank + slot * 128;
                if (i < 128)
                    rows[i] = rows_next[slot];
            }
            __syncthreads();
        }
        for (int i = 0; i < 128; ++i)
            sum += rows[i] * (i + rank);
    }
    out[rank] = sum;
}

// pipelinify: launch told_by_the_counter
//   sizes    n=0,1,2,3,4,5
//   grid     1
//   block    192
//   a:       in  [n * 256]
//   out:     out [192]
//   n:       n
__global__ void told_by_the_counter(const float *__restrict__ a, float *__restrict__ out, int n)
{
    __shared__ float tile[256];
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source ed821054
    int t = 0;
    if (t < n) {
        for (int i = threadIdx.x; i < 256; i += 128) {
            const int row = i / 16, column = i % 16;
            tile[column * 16 + row] = a[t * 256 + i] + column;
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++t; t < n; ++t) {
            float tile_next[2];
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = (threadIdx.x < 128 ? threadIdx.x : 127) + slot * 128;
                tile_next[slot] = a[t * 256 + i];
            }
            for (int i = 0; i < 256; ++i)
                sum += tile[i] * (i + threadIdx.x);
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 2; ++slot) {
                int i = (threadIdx.x < 128 ? threadIdx.x : 127) + slot * 128;
                const int row = i / 16, column = i % 16;
                tile[column * 16 + row] = tile_next[slot] + column;
            }
            __syncthreads();
        }
        for (int i = 0; i < 256; ++i)
            sum += tile[i] * (i + threadIdx.x);
    }
    out[threadIdx.x] = sum;
}
