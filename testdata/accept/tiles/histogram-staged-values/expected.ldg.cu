// Histogram into shared bins: the values are staged in tiles, the bins are counted up atomically.
// pipelinify: launch hist
//   sizes n=0,64,128,200,256,400,512,640
//   target n=262144
//   grid 2
//   block 64
//   data: in [n + 64] below(16)
//   bins: inout [16] const(0)
//   n: n
__global__ void hist(const unsigned *__restrict__ data, unsigned *__restrict__ bins, unsigned n)
{
    __shared__ unsigned sbin[16], stage_stage[2][64];
    if (threadIdx.x < 16) sbin[threadIdx.x] = 0;
    __syncthreads();
    // pipelinify: ldg, 2 stages, source 56499b13
    unsigned i = blockIdx.x * 64;
    if (i < n) {
        int stage2 = 0;
        stage_stage[0][threadIdx.x] = i + threadIdx.x < n ? data[i + threadIdx.x] : 99u;
        i += gridDim.x * 64;
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (; i < n; i += gridDim.x * 64) {
            unsigned int stage_next = i + threadIdx.x < n ? data[i + threadIdx.x] : 99u;
            for (unsigned j = threadIdx.x & 3; j < 64; j += 4)
                if (stage_stage[stage2][j] == (threadIdx.x >> 2))
                    atomicAdd(&sbin[stage_stage[stage2][j]], 1u);
            stage2 ^= 1;
            stage_stage[stage2][threadIdx.x] = stage_next;
            __syncthreads();
        }
        for (unsigned j = threadIdx.x & 3; j < 64; j += 4)
            if (stage_stage[stage2][j] == (threadIdx.x >> 2))
                atomicAdd(&sbin[stage_stage[stage2][j]], 1u);
        __syncthreads();
    }
    __syncthreads();
    if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], sbin[threadIdx.x]);
}
