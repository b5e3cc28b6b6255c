#include <cuda_pipeline.h>

// Sums over spectra, launched so that all blocks run at once: as many as fit, which fewer would
// with more shared memory. The kernel itself has no barrier of the grid.
// pipelinify: launch spectra
//   sizes lines=0,1,2,3
//   grid  2
//   block 256
//   smem  16384
//   in:   in  [lines * 4096 + 1] random
//   out:  out [512]
//   lines: lines
__global__ void spectra(const float *__restrict__ in, float *__restrict__ out, int lines)
{
    extern __shared__ float line[];
    const int tx = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 0ac2fecd
    int l = 0;
    if (l < lines) {
        for (int i = tx; i < 4096; i += 256)
            line[i] = in[l * 4096 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++l; l < lines; ++l) {
            float line_next[16];
            #pragma unroll
            for (int slot = 0; slot < 16; ++slot) {
                int i = (tx < 256 ? tx : 255) + slot * 256;
                line_next[slot] = in[l * 4096 + i];
            }
            for (int q = 0; q < 4096; q += 64)
                sum = 0.5f * sum + line[q ^ tx];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 16; ++slot) {
                int i = (tx < 256 ? tx : 255) + slot * 256;
                line[i] = line_next[slot];
            }
            __syncthreads();
        }
        for (int q = 0; q < 4096; q += 64)
            sum = 0.5f * sum + line[q ^ tx];
    }
    out[blockIdx.x * 256 + tx] = sum;
}

// The lower half of each line alone, by a grid of its own.
// pipelinify: launch halves
//   sizes lines=0,1,2,3
//   grid  2
//   block 256
//   in:   in  [lines * 4096 + 1] random
//   out:  out [512]
//   lines: lines
__global__ void halves(const float *__restrict__ in, float *__restrict__ out, int lines)
{
    constexpr int stages = 3;
    __shared__ __align__(16) float line_stage[stages][2048];
    const int tx = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: cp.async, 3 stages, source f5b27a0f
    // Whether 4 neighbouring elements can be one copy: all is aligned.
    const bool joined = blockDim.x == 256 && (size_t)in % 16 == 0;
    int l_load = 0, stage = 0;
    // Starts to copy the next tile to a stage, if there is one.
    auto copy_tile = [&](int load_stage) {
        if (l_load < lines) {
            if (joined) {
                for (int i = 4 * tx; i < 2048; i += 4 * 256)
                    __pipeline_memcpy_async(&line_stage[load_stage][i], &in[l_load * 4096 + i], 16);
            } else {
                for (int i = tx; i < 2048; i += 256)
                    __pipeline_memcpy_async(&line_stage[load_stage][i], &in[l_load * 4096 + i],
                                            sizeof(float));
            }
            ++l_load;
        }
        __pipeline_commit();
    };
    for (int load_stage = 0; load_stage < stages - 1; ++load_stage)
        copy_tile(load_stage);
    // Main loop: stages - 1 tiles are in flight while computing on one.
    for (int l = 0; l < lines; ++l) {
        __pipeline_wait_prior(stages - 2);
        __syncthreads();
        copy_tile(stage == 0 ? stages - 1 : stage - 1);
        for (int q = 0; q < 2048; q += 64)
            sum = 0.5f * sum + line_stage[stage][q ^ tx];
        stage = stage == stages - 1 ? 0 : stage + 1;
    }
    __pipeline_wait_prior(0);
    out[blockIdx.x * 256 + tx] = sum;
}

// The sixteen blocks of a cluster run at once as well, on the multiprocessors of a part of the GPU.
// pipelinify: launch in_large_clusters
//   sizes lines=0,1,2,3
//   grid  2
//   block 256
//   smem  16384
//   in:   in  [lines * 4096 + 1] random
//   out:  out [512]
//   lines: lines
__global__ void in_large_clusters(const float *__restrict__ in, float *__restrict__ out, int lines)
{
    extern __shared__ float line[];
    const int tx = threadIdx.x;
    float sum = 0.0f;
    // pipelinify: ldg-single, 1 stage, source 85823904
    int l = 0;
    if (l < lines) {
        for (int i = tx; i < 4096; i += 256)
            line[i] = in[l * 4096 + i];
        __syncthreads();
        // Main loop: fetch the next tile while computing on this one.
        for (++l; l < lines; ++l) {
            float line_next[16];
            #pragma unroll
            for (int slot = 0; slot < 16; ++slot) {
                int i = (tx < 256 ? tx : 255) + slot * 256;
                line_next[slot] = in[l * 4096 + i];
            }
            for (int q = 0; q < 4096; q += 64)
                sum = 0.75f * sum + line[q ^ tx];
            __syncthreads();
            #pragma unroll
            for (int slot = 0; slot < 16; ++slot) {
                int i = (tx < 256 ? tx : 255) + slot * 256;
                line[i] = line_next[slot];
            }
            __syncthreads();
        }
        for (int q = 0; q < 4096; q += 64)
            sum = 0.75f * sum + line[q ^ tx];
    }
    out[blockIdx.x * 256 + tx] = sum;
}

void run(const float *in, float *out, int lines)
{
    int grid, block;
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, spectra, 16384, 256);
    void *args[] = {&in, &out, &lines};
    cudaLaunchCooperativeKernel((void *)spectra, grid, 256, args, 16384, 0);
    halves<<<grid, 256>>>(in, out, lines);
    cudaFuncSetAttribute(in_large_clusters, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    cudaLaunchAttribute size;
    size.id = cudaLaunchAttributeClusterDimension;
    size.val.clusterDim.x = 16;
    size.val.clusterDim.y = size.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {16, 256, 16384, 0, &size, 1};
    cudaLaunchKernelEx(&config, in_large_clusters, in, out, lines);
}
