// Scratch beside a tile that is floats at first and places afterwards, and a table of its own.
// pipelinify: launch peaks
//   sizes  n=0,1,2,5
//   block  128
//   smem   8192 + 512 + 128
//   x:     in  [n * 2048 + 1] random
//   where: out [128]
//   n: n
__global__ void peaks(const float *__restrict__ x, int *__restrict__ where, int n)
{
    extern __shared__ __align__(16) unsigned char block[];
    // 2 stages, of which 1 of 8192 bytes are behind the block, and 1 byte more: a launch that gives
    // another number is trapped
    unsigned block_given;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(block_given));
    if (block_given != 8832 + 1 * 8192 + 1)
        __trap();
    struct block_stages {
        unsigned char *first;
        __device__ unsigned char (&operator[](int stage) const)[] {
            return *reinterpret_cast<unsigned char (*)[]>(reinterpret_cast<char *>(first) +
                                                          (stage ? 640 + stage * 8192 : 0));
        }
    };
    const block_stages block_stage = {block};
    float *most = reinterpret_cast<float *>(block) + 2048;
    int *place = reinterpret_cast<int *>(block + 8192);
    float *scale = most + 128;
    const int tx = threadIdx.x;
    int found = -1;
    if (tx < 32)
        scale[tx] = 1.0f + tx % 5;
    __syncthreads();
    // pipelinify: ldg, 2 stages, source 81fe2f11
    int k = 0, stage = 0;
    if (k < n) {
        auto compute_tile = [&]() {
            auto &block = block_stage[stage];
            float *tile = reinterpret_cast<float *>(block);
            float best = -1.0f;
            int at = 0;
            for (int i = 0; i < 16; ++i)
                if (tile[(tx * 16 + i * 33) % 2048] * scale[tx % 32] > best) {
                    best = tile[(tx * 16 + i * 33) % 2048] * scale[tx % 32];
                    at = i;
                }
            most[tx] = best;
            __syncthreads();
            const bool larger = most[tx ^ 1] < best;
            __syncthreads();
            place[tx] = larger ? at : -at;
            __syncthreads();
            found = 3 * found + place[(tx + 1) % 128];
        };
        {
            auto &block = block_stage[0];
            float *tile = reinterpret_cast<float *>(block);
            for (int i = tx; i < 2048; i += 128)
                tile[i] = x[k * 2048 + i];
        }
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++k; k < n; ++k) {
            float tile_next[16];
            #pragma unroll
            for (int slot = 0; slot < 16; ++slot) {
                int i = (tx < 128 ? tx : 127) + slot * 128;
                tile_next[slot] = x[k * 2048 + i];
            }
            compute_tile();
            stage ^= 1;
            {
                auto &block = block_stage[stage];
                float *tile = reinterpret_cast<float *>(block);
                #pragma unroll
                for (int slot = 0; slot < 16; ++slot) {
                    int i = (tx < 128 ? tx : 127) + slot * 128;
                    tile[i] = tile_next[slot];
                }
            }
            __syncthreads();
        }
        compute_tile();
        __syncthreads();
    }
    where[tx] = found;
}

void run(const float *x, int *where, int n) { peaks<<<1, 128, 8192 + 512 + 128 + 8192 + 1>>>(x, where, n); }
